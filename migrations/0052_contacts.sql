-- Like contact_tags without foreign keys: it goes with its contact.
create table contact_edits (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  fields text[] not null,
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
alter table contact_edits alter column workspace_id set statistics 0;
create index contact_edits_contact on contact_edits (workspace_id, contact_id, id);
comment on table contact_edits is 'What was changed of contacts one by one, for their timelines: the latest changes of each.';
comment on column contact_edits.fields is 'The names of the fields, without their values.';
