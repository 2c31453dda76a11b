create table events (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  message_id bigint not null,
  kind text not null check (kind in ('open', 'click', 'unsubscribe', 'complaint', 'view')),
  link integer,
  at timestamptz not null default now(),
  times integer not null default 1,
  network text not null default '',
  user_agent text not null default '',
  hints jsonb not null default '{}',
  class text not null check (class in ('human', 'machine')),
  reason text not null default '',
  classifier integer not null default 1,
  primary key (workspace_id, id)
);
alter table events alter column workspace_id set statistics 0;
create index events_campaign on events (campaign_id, kind, class);
create index events_message on events (message_id, at);
comment on table events is
  'Raw opens, clicks and unsubscribes. Never changed, except for their class, which is computed from them and can be computed again.';
comment on column events.link is 'The number of the clicked link (campaign_links).';
comment on column events.times is 'Requests the event stands for: repeats of a kind and message are only counted.';
comment on column events.hints is 'What else the classifier looks at.';
comment on column events.reason is 'Why the event has its class.';
comment on column events.classifier is 'The version of the classifier that gave the class.';
