alter table contacts add column import_id bigint;
comment on column contacts.import_id is 'The import that last had a row of it: a second row in the same file is a duplicate.';
