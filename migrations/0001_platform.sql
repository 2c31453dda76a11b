-- What the platform itself stores. None of it belongs to a workspace.

create table settings (
  key text primary key,
  value text not null
);
comment on table settings is 'Facts about the installation, such as whether the first admin was created.';

-- Limits by account or address, so that they hold over processes and restarts.
create table throttles (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
comment on table throttles is 'Counters behind the rate limits by account or address.';

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  actor_id bigint,
  actor text not null default '',
  subject_id bigint,
  subject text not null default '',
  workspace_id bigint,
  network text not null default '',
  details jsonb not null default '{}'
);
create index audit_log_at on audit_log (at);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_subject on audit_log (subject_id, id desc);
comment on table audit_log is
  'Who did what to accounts and credentials. No foreign keys, because a row outlives its user. Stored for 400 days (docs/decisions/0016-audit-log.md).';
comment on column audit_log.actor_id is 'The user who acted; null with an empty actor: an unknown caller.';
comment on column audit_log.actor is 'The email address of the actor at that time, or words such as "command line".';
comment on column audit_log.subject_id is 'The user it was done to.';
comment on column audit_log.subject is 'The email address of the subject at that time, or what it was done to.';
comment on column audit_log.network is 'The network of the caller''s IP address, such as 203.0.113.0/24.';
