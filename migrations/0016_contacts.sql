-- The orders a table of contacts can be sorted in; natural_order comes with 0015_campaigns.sql. Of long values the first 50 characters count, so that a cursor can name them.
create index contacts_by_email on contacts (workspace_id, (left(email_key, 50) collate natural_order), id) where email_key is not null;
create index contacts_by_name on contacts (workspace_id, (left(name, 50) collate natural_order), id) where name <> '';

create table contact_jobs (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  action text not null,
  value jsonb not null default 'null',
  ids bigint[],
  filter jsonb,
  requested_by text not null default '',
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  total bigint,
  below bigint not null,
  processed bigint not null default 0,
  changed bigint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id),
  check ((ids is null) <> (filter is null))
);
create index contact_jobs_running on contact_jobs (workspace_id) where state in ('queued', 'running');
comment on table contact_jobs is 'Changes of many contacts at once, which run in the background.';
comment on column contact_jobs.action is 'What is done with each contact (contracts/contacts/bulk.ts).';
comment on column contact_jobs.value is 'What the action needs: a list, a field, a proof of consent.';
comment on column contact_jobs.ids is 'The chosen contacts; null: those that the filter finds.';
comment on column contact_jobs.requested_by is 'The email address of the user, for what is recorded with consents.';
comment on column contact_jobs.below is 'Contacts with a smaller id are still to be changed: where the next run resumes after a crash.';
comment on column contact_jobs.changed is 'Contacts the action changed.';
