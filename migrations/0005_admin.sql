-- Who did what to accounts and credentials. Rows name people by address as it was then; no foreign key, because a row
-- outlives its user. Kept 400 days (docs/decisions/0016-audit-log.md).
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  -- Who: a user's id and address, or only words such as "command line"; both empty is an unknown caller.
  actor_id bigint,
  actor text not null default '',
  -- To whom or what it was done.
  subject_id bigint,
  subject text not null default '',
  workspace_id bigint,
  -- The caller's address cut to its network, such as 203.0.113.0/24.
  network text not null default '',
  details jsonb not null default '{}'
);
create index audit_log_at on audit_log (at);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_subject on audit_log (subject_id, id desc);

-- Set: signing in is refused, every token is dead and nothing is sent for the workspace.
alter table users add column suspended_at timestamptz;
