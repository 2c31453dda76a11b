-- Like contact_edits without foreign keys: it goes with its contact.
create table contact_events (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  name text not null,
  properties jsonb not null default '{}',
  at timestamptz not null,
  recorded_at timestamptz not null default now(),
  request_key text,
  request_hash text,
  primary key (workspace_id, id)
);
alter table contact_events alter column workspace_id set statistics 0;
create unique index contact_events_request on contact_events (workspace_id, request_key) where request_key is not null;
create index contact_events_contact on contact_events (workspace_id, contact_id, id);
create index contact_events_name on contact_events (workspace_id, name, recorded_at);
-- Rows come in the order of time: what is old stands together.
create index contact_events_recorded on contact_events using brin (recorded_at);
comment on table contact_events is 'What contacts did elsewhere, as POST /api/events tells: the newest of each contact, for a year.';
comment on column contact_events.at is 'When it happened: never after recorded_at.';
comment on column contact_events.recorded_at is 'When its transaction began.';
comment on column contact_events.request_key is 'The Idempotency-Key of the request; null: it had none.';
comment on column contact_events.request_hash is 'The hash of what came with that key.';
