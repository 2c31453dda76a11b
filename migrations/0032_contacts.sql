-- What a merge took in, so that it can be undone for 30 days. Then the row goes, with the person's data in it.
create table contact_merges (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  contact_id bigint not null,
  other jsonb not null,
  before jsonb not null,
  moved jsonb not null,
  merged_by text not null default '',
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index contact_merges_contact on contact_merges (workspace_id, contact_id);
create index contact_merges_at on contact_merges (at);
comment on table contact_merges is 'Contacts that were merged into others in the last 30 days.';
comment on column contact_merges.contact_id is 'The contact that stayed.';
comment on column contact_merges.other is 'The contact that went, with its lists and tags.';
comment on column contact_merges.before is 'The contact that stayed, as it was before.';
comment on column contact_merges.moved is 'The ids of rows that were given to the contact that stayed, by feature.';
