create table bounce_sources (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null,
  name text not null,
  secret_encrypted text not null,
  received_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- The address of a webhook names its source and no workspace.
create index bounce_sources_id on bounce_sources (id);
comment on table bounce_sources is 'Where a workspace learns of bounces and complaints that come after its emails were accepted.';
comment on column bounce_sources.secret_encrypted is 'What its requests are signed with.';
comment on column bounce_sources.received_at is 'When something with a valid signature came last.';

create table bounce_events (
  workspace_id bigint not null,
  source_id bigint not null,
  event_key bytea not null,
  at timestamptz not null default now(),
  primary key (workspace_id, source_id, event_key),
  foreign key (workspace_id, source_id) references bounce_sources (workspace_id, id) on delete cascade
);
create index bounce_events_old on bounce_events (at);
comment on table bounce_events is 'Events of bounce sources that were handled, so that a repeat changes nothing.';
comment on column bounce_events.event_key is 'SHA-256 of the name that the source gave the event.';
