/**
 * Types only: the JSON that the daemon sends (docs/http.md), and the state that the views show.
 *
 * @typedef {{id: string, label: string, description?: string, preview?: string}} Option `preview`: Markdown
 *
 * @typedef {object} WireQuestion a question as Claude's tool wrote it
 * @property {string} question
 * @property {string} [header]
 * @property {boolean} [multi]
 * @property {boolean} [multiSelect]
 * @property {Partial<Option>[]} [options]
 *
 * @typedef {Omit<import("./event-types.js").Interrupt, "kind"|"options"|"questions"> & {options?: Option[],
 *   kind: "permission"|"question"|"text"|"dialog", questions?: WireQuestion[]}} Interrupt
 *
 * @typedef {{question: string, header: string, multi: boolean, options: Option[]}} Question one of an interrupt's
 * @typedef {string | string[] | Record<string, string | string[]>} ReplyValue of a permission, an id or {deny: reason}
 * @typedef {{interrupt_id: string, value: ReplyValue} | {interrupt_id: string, cancel: true}} ReplyBody
 *
 * @typedef {{phase: string, message: string, heldBy: string[]}} Status `heldBy`: ids of the conversations that hold all
 *   places, in phase `held`
 * @typedef {{phase: string, tool: string}} Activity what is being generated: `thinking`, `writing`, or a `tool`'s input
 *
 * @typedef {import("./event-types.js").ChipShown} Chip a link in an answer
 * @typedef {import("./event-types.js").Difference} Difference between what Claude claims of a tool and what was seen
 *
 * @typedef {Pick<import("./event-types.js").Evidence, "used_tools"|"rows_seen"|"classifier_tag"|"observed_tools"|
 *   "agrees"|"differences"|"unopened"> & {guessed: boolean, claims: Claim[]|null}} Evidence `guessed`: the tag comes
 *   from the question, not from Claude
 * @typedef {Omit<import("./event-types.js").Claim, "kind"|"rule"|"sources"> & {kind: string, rule: string,
 *   sources: ClaimSource[]}} Claim `rule`: "" for one that is not derived
 * @typedef {Omit<import("./event-types.js").Source, "call"|"turn_id"> & {call: string, turn_id: string}} ClaimSource
 *   `turn_id`: of the earlier turn that made the call; "": this one
 *
 * @typedef {object} Usage a count that is not known is null or missing
 * @property {number|null} input_tokens
 * @property {number|null} output_tokens
 * @property {number|null} cache_read_tokens
 * @property {number|null} cache_write_tokens
 *
 * @typedef {import("./event-types.js").Error} Failure
 *
 * @typedef {object} TextPart one message of the answer
 * @property {"text"} kind
 * @property {string} id its number in the turn, from "0"
 * @property {string|null} messageId null: nothing of it is confirmed
 * @property {string} text what is confirmed
 * @property {number} length of `text` in code points
 * @property {string} shown `text`, and behind it the preview of what Claude is writing
 * @property {number} shownLength in code points
 * @property {boolean} guessed it began while tools ran, and may belong behind them
 *
 * @typedef {object} ToolPart
 * @property {"tool"} kind
 * @property {string} id
 * @property {string} name
 * @property {string} summary
 * @property {"running"|"ok"|"failed"|"refused"|"unknown"} state
 * @property {string} asks id of the open permission that it waits for, or ""
 * @property {string} result in one line
 * @property {unknown} input
 * @property {string} output the beginning of what the tool returned
 * @property {string[]} pictures that it returned: the name of each one, "" if it is not kept
 * @property {number|null} rows
 * @property {number|null} durationMs
 *
 * @typedef {object} SettledPart an interrupt that is over
 * @property {"settled"} kind
 * @property {string} id
 * @property {Interrupt} interrupt
 * @property {string} by `page`, `terminal`, `timeout` or `cancel`
 * @property {unknown} value the reply
 *
 * @typedef {object} JoinedPart words that somebody typed in the terminal while Claude worked
 * @property {"joined"} kind
 * @property {string} id
 * @property {string} text
 *
 * @typedef {TextPart | ToolPart | SettledPart | JoinedPart} Part
 * @typedef {{verdict: "up"|"down"|null, word: string}} Feedback
 *
 * @typedef {object} Turn a question and its answer, as the page shows them
 * @property {string} id UUIDv7, so turns sort by it; `~…` until the daemon has given one
 * @property {string} key identifies the turn's view; it stays when the daemon gives the id
 * @property {string} origin
 * @property {string} askedBy the kind of the agent that asks something in it, beside what Claude does; "" for others
 * @property {string} question
 * @property {Attachment[]} attachments files that went with the question
 * @property {number|null} startedAt milliseconds since 1970
 * @property {"sending"|"running"|"stopping"|"answered"|"done"} phase `answered`: the text is complete, evidence follows
 * @property {Status|null} status
 * @property {Activity|null} activity goes before the status, until there is a new one
 * @property {string[]} messages ids of the messages, in the order in which they began; void ones, too
 * @property {Part[]} parts in the order in which they began
 * @property {Interrupt[]} interrupts those that wait for a reply
 * @property {Chip[]} chips
 * @property {Evidence|null} evidence
 * @property {Usage|null} usage
 * @property {string} model
 * @property {number|null} durationMs
 * @property {number} waitedMs the part of it in which Claude waited for a reply
 * @property {number|null} firstTextMs
 * @property {number} backgroundTasks how many still ran when it ended
 * @property {boolean} unconfirmed the last words were shown before a Stop, and Claude Code never reported them
 * @property {boolean} aborted the user stopped it
 * @property {Failure|null} error
 * @property {Feedback} feedback
 * @property {string[]} notices the daemon's remarks on the question, such as `selection_cut`
 * @property {boolean} isRedacted the daemon keeps no words of it
 * @property {boolean} isFromQueue its words are those of this page's queue: they may have been changed elsewhere
 * @property {number} lastEventId number of the last event applied
 *
 * @typedef {object} StreamEvent
 * @property {string} turn the id of its turn; "": it is of none
 * @property {number|null} id its number in the turn
 * @property {string} event
 * @property {Record<string, any>} data
 *
 * @typedef {object} HistoryItem
 * @property {string} turn_id
 * @property {string} [origin]
 * @property {string|null} [started_at]
 * @property {string} [user_message]
 * @property {string|null} [asked_by]
 * @property {Attachment[]} [attachments]
 * @property {{event: string, data: Record<string, any>}[]} [events] its stream, once it is over
 * @property {boolean} [running]
 * @property {"up"|"down"|null} [feedback]
 * @property {string|null} [feedback_word]
 * @property {boolean} [is_redacted] no word of it is kept there
 *
 * @typedef {object} HistoryPage
 * @property {HistoryItem[]} turns
 * @property {Queue} [queue]
 * @property {string[]} [known] the ids of turns that were asked for but are not in `turns`, since the page has them
 * @property {string|null} running_turn
 * @property {boolean} has_more
 * @property {number} since when Claude last forgot all that was before (/clear), milliseconds since 1970
 * @property {string} [version] another one once the newest page of the history is another one
 *
 * @typedef {object} QueuedTurn a question that waits for its turn
 * @property {string} turn_id
 * @property {string} user_message
 * @property {number} queued_at
 * @property {Attachment[]} [attachments]
 *
 * @typedef {object} Attachment a file that goes with a question
 * @property {string} id
 * @property {string} name
 * @property {number} bytes
 * @property {"image"|"pdf"|"text"|"other"} kind
 *
 * @typedef {object} Queue
 * @property {"stopped"|"failed"|"reset"|null} held why it does not go on by itself
 * @property {QueuedTurn[]} turns
 *
 * @typedef {object} ConversationItem one of the list; times are in milliseconds since 1970
 * @property {string} id
 * @property {string} title "" if nobody has given one, and nothing was asked
 * @property {string|null} [person]
 * @property {string|null} [origin]
 * @property {string|null} [host]
 * @property {string} state `parked`, `starting`, `ready`, `busy`, `waiting`, `failed`, `unreachable`
 * @property {boolean} pinned
 * @property {boolean} archived
 * @property {number|null} created_at
 * @property {number|null} last_at
 * @property {number|null} ended_at when its last turn ended
 * @property {{session_id: string, turn_id: string}|null} branch_of the turn before which it branched off
 * @property {string|null} first_turn the first of its own
 * @property {string|null} running_turn
 * @property {number} [queued]
 * @property {number} [background_tasks] how many go on behind the turns
 * @property {string|null} [model] these are there for the owner, where there is a status line; null: not known
 * @property {string|null} [model_name]
 * @property {string|null} [chosen_model] with which it is started; null: with its default
 * @property {string|null} [permission_mode]
 * @property {string|null} [folder]
 * @property {number|null} [context_used] in percent
 * @property {number|null} [cost] in USD
 * @property {{turn_id: string, excerpt: string}} [match] where the words that were searched for stand
 *
 * @typedef {{conversations: ConversationItem[], hosts: string[], version?: string}} ConversationsPage
 * @typedef {ConversationsPage & {version: string, since: string|null, gone: string[]}} ListChange what has changed
 *   since that version; null: the whole list
 * @typedef {{title?: string, host?: string, branch_of?: string}} NewConversation
 * @typedef {{title?: string, pinned?: boolean, archived?: boolean, deleted?: false, model?: string,
 *   permission_mode?: string}} ConversationChange
 * @typedef {ConversationItem & {ok: boolean, message: string, hint: string, screen: string}} ConversationState
 *
 * @typedef {object} Toast what was done last in the list, and whether it can be undone
 * @property {"deleted"|"archived"|"failed"} kind
 * @property {string} id of the conversation
 * @property {boolean} wasOpen
 * @property {Failure} [failure]
 * @property {boolean} [waits] Claude was waiting for a reply there
 *
 * @typedef {object} Seen what of the conversations was looked at in this browser
 * @property {number} since what ended before counts as seen
 * @property {Record<string, number>} ended of a conversation: the end of the last turn that was seen
 *
 * @typedef {object} ListState the list of conversations
 * @property {boolean} ready
 * @property {boolean} signedIn
 * @property {string} current id of the one that is open
 * @property {ConversationItem[]} items newest first, without archived ones
 * @property {ConversationItem[]|null} archived null: they are not shown
 * @property {ConversationItem|null} openArchived the open one, if it is archived
 * @property {ConversationItem|null} made the one that was made last: it is in no list before its first question
 * @property {string[]} hosts where a new one can be made, this machine first
 * @property {string} query
 * @property {ConversationItem[]|null} found null: nothing is searched for, or the search still runs
 * @property {Seen} seen
 * @property {Toast|null} toast
 *
 * @typedef {object} HealthPart
 * @property {string} name
 * @property {boolean} ok
 * @property {string} state
 * @property {string|null} [message]
 * @property {string|null} [hint]
 * @property {string} [host]
 * @property {number} [retry_at] milliseconds since 1970; there only while the host cannot be reached
 *
 * @typedef {{ok: boolean, parts: HealthPart[], scripted?: boolean, demo_questions?: Record<string, string[]>,
 *   may_allow?: boolean, may_attach?: boolean, pieces?: string[], relay?: "terminal"|"messages",
 *   consent?: {agreed: boolean, version: string, host: string, model: string},
 *   keeps_words?: boolean,
 *   person?: {id: string, name: string, role: "owner"|"member", language: string|null}}} Health
 *   `may_allow`: whether permissions are given here; `may_attach`: whether files can be
 *   attached; `pieces`: the parts that add to the page; `relay`: the way to the model; `consent`: to
 *   what is sent where; `person`: who asks
 *
 * @typedef {{turn_id: string, started_at: string, user_message: string, excerpt: string}} SearchResult
 *
 * @typedef {{name: string, description: string, argument_hint: string, aliases: string[]}} OfferedCommand
 *
 * @typedef {{id: string, name: string, description: string}} OfferedModel
 *
 * @typedef {{models: OfferedModel[], modes: string[], commands: OfferedCommand[]}} Offers
 *
 * @typedef {"encoding"|"control"|"decomposed"|"invisible"|"number_sign"|"quote"|"blank"} Obstacle
 * @typedef {{path: string, ignored: boolean, marks: number[], obstacle?: Obstacle|null}} FoundFile a folder's path ends
 *   with a slash; `marks`: numbers of the code points that were searched for; `obstacle`: why a question cannot name it
 *
 * @typedef {object} ShownFile a file of Claude's folder
 * @property {string} path below the folder
 * @property {"text"|"picture"|"binary"} kind
 * @property {string} version changes with the file
 * @property {number} [width] of a picture, in pixels
 * @property {number} [height]
 *
 * @typedef {object} TextWindow some lines of a file
 * @property {number} first the number of the first one
 * @property {{text: string, left_out: number}[]} lines `left_out`: bytes that are missing at its end
 * @property {number|null} total of all lines; null: they are too many to count
 *
 * @typedef {object} AccessList who may come in
 * @property {SignedInBrowser[]} browsers
 * @property {ProgramKey[]} keys
 *
 * @typedef {object} SignedInBrowser times are in seconds since 1970
 * @property {string} id
 * @property {string} person whose it is; "" for the owner's
 * @property {string} agent its header User-Agent
 * @property {number} signed_in
 * @property {number} last_used
 * @property {number} expires
 * @property {boolean} current whether it is this browser
 *
 * @typedef {object} ProgramKey times are in seconds since 1970
 * @property {string} name
 * @property {string[]} purposes
 * @property {number} made
 * @property {number|null} last_used
 *
 * @typedef {object} PageContext what the user is looking at in the application that holds the drawer
 * @property {string} [route_name]
 * @property {string} [primary_entity_type]
 * @property {string} [primary_entity_id]
 * @property {string} [view_mode]
 * @property {string} [filter_summary]
 * @property {string} [user_selection_text]
 * @property {string} [page_origin]
 *
 * @typedef {object} State everything that the views of a conversation show
 * @property {boolean} ready the history has been read at least once
 * @property {boolean} signedIn
 * @property {"ok"|"lost"} connection to the daemon
 * @property {Turn[]} turns oldest first
 * @property {boolean} hasMore the daemon has earlier turns
 * @property {string} readTo id of the newest turn up to which the history was read without a gap; "" for none
 * @property {Queue} queue
 * @property {boolean} missing there is no such conversation
 * @property {number} forgotAt when Claude last forgot all that was before, milliseconds since 1970
 * @property {string} revealId id of a turn that is to be scrolled to, or ""
 * @property {Health|null} health
 * @property {Failure|null} failedAction why the user's last action failed, if that was outside of a turn
 */
export {};
