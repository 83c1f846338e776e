-- migrate:up
alter table paliadin.turns
    add column feedback text check (feedback in ('up', 'down')),
    add column feedback_word text;

-- migrate:down
alter table paliadin.turns
    drop column feedback,
    drop column feedback_word;
