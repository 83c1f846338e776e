/**
 * Shapes that the server sends (docs: events and routes) and the view state made from them.
 * Types only; nothing here runs.
 *
 * @typedef {{id: string, label: string, description?: string}} Option
 * @typedef {{question: string, header?: string, multi?: boolean, multiSelect?: boolean, options?: Partial<Option>[]}} RawQuestion
 *
 * @typedef {object} Interrupt a question back to the user in mid-turn
 * @property {string} id
 * @property {"permission"|"question"|"text"} kind
 * @property {string} message
 * @property {Option[]} [options]
 * @property {boolean} [multi]
 * @property {RawQuestion[]} [questions]
 * @property {string|null} [tool]
 * @property {unknown} [input]
 *
 * @typedef {{question: string, header: string, multi: boolean, options: Option[]}} Question
 * @typedef {string | string[] | Record<string, string | string[]>} AnswerValue a permission's: an option, or {deny: reason}
 * @typedef {{interrupt_id: string, value: AnswerValue} | {interrupt_id: string, cancel: true}} AnswerBody
 *
 * @typedef {{phase: string, message: string}} Status
 * @typedef {{kind: string, action?: string, id?: string|null, href?: string|null, label: string, verified: boolean, message_id?: string}} Chip
 * @typedef {{tool: string, what: string, claimed: number|null, seen: number|null}} Difference `not_run`, `not_named`, `rows`
 * @typedef {{used_tools: string[], rows_seen: number[], classifier_tag: string|null, observed_tools: string[], agrees: boolean|null, differences: Difference[], guessed: boolean}} Evidence
 * @typedef {{input_tokens: number|null, output_tokens: number|null, cache_read_tokens: number|null, cache_write_tokens: number|null}} Usage
 * @typedef {{code: string, message: string, hint: string, retryable: boolean}} Failure
 *
 * @typedef {{kind: "text", id: string, text: string}} TextPart
 * @typedef {object} ToolPart
 * @property {"tool"} kind
 * @property {string} id
 * @property {string} name
 * @property {string} summary
 * @property {"running"|"ok"|"failed"|"refused"|"unknown"} state
 * @property {string} result in one line
 * @property {unknown} input
 * @property {string} output what came back, its beginning
 * @property {number|null} rows
 * @property {number|null} durationMs
 * @typedef {{kind: "notice", id: string, interrupt: Interrupt, by: string, value: unknown}} NoticePart
 * @typedef {TextPart | ToolPart | NoticePart} Part
 *
 * @typedef {object} Turn one question and its answer, as the page shows it
 * @property {string} id UUIDv7, so turns sort by it; `~…` until the server has given one
 * @property {string} key of its view: stays when the server gives the id
 * @property {string} origin
 * @property {string} question
 * @property {number|null} startedAt milliseconds since 1970
 * @property {"sending"|"running"|"stopping"|"done"} phase
 * @property {Status|null} status
 * @property {Part[]} parts in the order in which they happened
 * @property {Interrupt[]} interrupts those still open
 * @property {Chip[]} chips
 * @property {Evidence|null} evidence
 * @property {Usage|null} usage
 * @property {string} model
 * @property {number|null} durationMs
 * @property {number|null} firstTextMs
 * @property {number} backgroundTasks
 * @property {boolean} aborted
 * @property {Failure|null} error
 * @property {Feedback} feedback
 * @property {string[]} notices what the daemon remarks on the question
 * @property {number} seen number of the last event applied
 *
 * @typedef {{id: number|null, event: string, data: Record<string, any>}} StreamEvent
 *
 * @typedef {object} HistoryItem
 * @property {string} turn_id
 * @property {string} [origin]
 * @property {string|null} [started_at]
 * @property {string} [user_message]
 * @property {{event: string, data: Record<string, any>}[]} [events] its stream, once it is over
 * @property {boolean} [running]
 * @property {"up"|"down"|null} [feedback]
 * @property {string|null} [feedback_word]
 * @typedef {{turns: HistoryItem[], running_turn: string|null, has_more: boolean, since: number}} HistoryPage
 *
 * @typedef {{name: string, ok: boolean, state: string, message?: string|null, hint?: string|null, host?: string, retry_at?: number}} HealthPart
 * @typedef {{ok: boolean, parts: HealthPart[], scripted?: boolean, demo_questions?: Record<string, string[]>}} Health
 *
 * @typedef {{turn_id: string, started_at: string, user_message: string, excerpt: string}} Found
 * @typedef {{name: string, host: string, state: string, ok: boolean, message: string, hint: string, screen: string, running_turn: string|null}} Session
 * @typedef {{verdict: "up"|"down"|null, word: string}} Feedback
 *
 * @typedef {object} PageContext what the asker is looking at, in the application that holds the drawer
 * @property {string} [route_name]
 * @property {string} [primary_entity_type]
 * @property {string} [primary_entity_id]
 * @property {string} [view_mode]
 * @property {string} [filter_summary]
 * @property {string} [user_selection_text]
 * @property {string} [page_origin]
 *
 * @typedef {object} State everything that the conversation shows
 * @property {boolean} ready history has been read once
 * @property {boolean} signedIn
 * @property {"ok"|"lost"} link
 * @property {Turn[]} turns oldest first
 * @property {boolean} hasMore
 * @property {number} since when the conversation began, milliseconds since 1970
 * @property {boolean} showEarlier
 * @property {string} target id of a turn to be brought into sight, or ""
 * @property {Health|null} health
 * @property {Failure|null} problem an action of the user that failed outside of a turn
 */
export {};
