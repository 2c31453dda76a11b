alter table imports add column duplicates bigint not null default 0;
alter table imports add column keep text not null default 'last' check (keep in ('last', 'first'));
comment on column imports.duplicates is 'Rows with an address or number that an earlier row of the file has.';
comment on column imports.keep is 'Which of several rows with the same address or number counts.';

alter table contacts add column import_id bigint;
comment on column contacts.import_id is 'The import that last had a row of it: a second row in the same file is a duplicate.';
