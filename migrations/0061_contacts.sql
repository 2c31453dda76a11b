alter table contact_edits add column changes jsonb not null default '[]';
alter table contact_edits add column edited_by bigint;
comment on column contact_edits.changes is 'What fields had before and have since: {field, from, to} of up to 20 fields, values shortened; none of addresses.';
comment on column contact_edits.edited_by is 'The user who made the edit.';
comment on column contact_edits.fields is 'The names of the fields.';
