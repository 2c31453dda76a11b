create table journeys (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  state text not null default 'draft' check (state in ('draft', 'active', 'paused', 'archived')),
  state_text text not null default '',
  definition jsonb not null,
  entered bigint not null default 0,
  next_due timestamptz,
  looked_until timestamptz,
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- Two looks a second find whose time has come, and mostly nobody: one place in an index, however many wait.
create index journeys_due on journeys (next_due) where state = 'active' and next_due is not null;
create index journeys_looked on journeys (looked_until) where state = 'active';
comment on table journeys is 'Automations: a trigger and the steps contacts go through.';
comment on column journeys.state_text is 'What hinders an active journey, in words; empty: nothing.';
comment on column journeys.definition is 'Trigger, filters and steps, as contracts/journeys/definition.ts has them.';
comment on column journeys.entered is 'Contacts who entered, those removed since included.';
comment on column journeys.next_due is 'When the next contact goes on, or before; null: nobody waits. Written in the transactions that move them.';
comment on column journeys.looked_until is 'Up to when its trigger was looked for; null: it was never activated.';

create table journey_steps (
  workspace_id bigint not null,
  journey_id bigint not null,
  step_id text not null,
  entered bigint not null default 0,
  campaign_id bigint,
  content_key text not null default '',
  primary key (workspace_id, journey_id, step_id),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade
);
comment on table journey_steps is 'Steps that were activated or reached.';
comment on column journey_steps.entered is 'Contacts who got here.';
comment on column journey_steps.campaign_id is 'Of an email step: the campaign that sends it and is its report.';
comment on column journey_steps.content_key is 'A hash of what the campaign was frozen with: another one means a new campaign.';

create table journey_people (
  id bigint generated always as identity,
  workspace_id bigint not null,
  journey_id bigint not null,
  contact_id bigint not null,
  state text not null default 'active' check (state in ('active', 'done', 'goal', 'exited')),
  step_id text,
  due_at timestamptz default now(),
  entered_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  -- Everybody enters a journey once, whatever happens twice.
  unique (workspace_id, journey_id, contact_id),
  check ((state = 'active') = (due_at is not null) and (state = 'active') = (ended_at is null))
);
create index journey_people_due on journey_people (workspace_id, journey_id, due_at, id) where due_at is not null;
create index journey_people_waiting on journey_people (workspace_id, journey_id, step_id, id) where due_at is not null;
create index journey_people_page on journey_people (workspace_id, journey_id, id);
create index journey_people_contact on journey_people (workspace_id, contact_id);
comment on table journey_people is 'Contacts in a journey, and where they are.';
comment on column journey_people.step_id is 'The step they are at, or were at last; null: before the first one.';
comment on column journey_people.due_at is 'When they go on: at a wait its end, elsewhere the next try; null: they ended.';
