-- Questions of an hour over the Messages API: of each person, and (everyone, person '') of all together.
-- migrate:up
create table paliadin.questions_asked (
    hour timestamptz not null,
    everyone boolean not null,
    person text not null,
    asked integer not null,
    primary key (hour, everyone, person)
);

-- migrate:down
drop table paliadin.questions_asked;
