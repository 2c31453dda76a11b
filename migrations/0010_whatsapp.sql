-- WhatsApp through Meta's Cloud API.

-- The same number may be connected in several workspaces: each proved that it holds a token for it, and each receives
-- the number's webhooks.
create table whatsapp_numbers (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null default '',
  phone_number_id text not null,
  business_account_id text not null,
  token_encrypted text not null default '',
  app_secret_encrypted text not null default '',
  display_phone text not null default '',
  verified_name text not null default '',
  quality text not null default 'unknown' check (quality in ('green', 'yellow', 'red', 'unknown')),
  tier text not null default '',
  daily_limit integer,
  portfolio_id text not null default '',
  per_second integer not null default 80,
  state text not null default 'working' check (state in ('working', 'failing', 'reconnect', 'restricted')),
  state_text text not null default '',
  checked_at timestamptz,
  subscribed boolean not null default false,
  webhook_at timestamptz,
  templates_at timestamptz,
  templates_stale boolean not null default false,
  pace_at timestamptz not null default now(),
  rest_until timestamptz,
  troubles integer not null default 0,
  slowed integer not null default 0,
  slowed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (workspace_id, phone_number_id),
  primary key (workspace_id, id)
);
create index whatsapp_numbers_phone_number on whatsapp_numbers (phone_number_id);
create index whatsapp_numbers_business on whatsapp_numbers (business_account_id);
comment on table whatsapp_numbers is 'Connected WhatsApp numbers, with the credentials to send through them.';
comment on column whatsapp_numbers.token_encrypted is 'Encrypted and bound to this row; no response contains it.';
comment on column whatsapp_numbers.tier is 'Meta''s messaging limit tier.';
comment on column whatsapp_numbers.daily_limit is
  'People who may be written to first in a rolling 24 hours, shared by all numbers of a portfolio; null: unknown or unlimited.';
comment on column whatsapp_numbers.state is
  'failing: the last call failed; reconnect: the token is no longer valid; restricted: Meta stopped the number.';
comment on column whatsapp_numbers.subscribed is 'Meta confirmed where to send webhooks.';
comment on column whatsapp_numbers.webhook_at is 'When the last webhook came.';
comment on column whatsapp_numbers.templates_stale is 'Meta refused a template as stored here: all templates are synced again.';
comment on column whatsapp_numbers.pace_at is 'The next free slot of the limit per second, shared by all workers.';
comment on column whatsapp_numbers.rest_until is 'Not used before this time, because Meta asked to slow down or could not be reached.';
comment on column whatsapp_numbers.slowed is 'How often the limit per second was halved because Meta said the number sends too fast; a minute without that undoes one.';

create table whatsapp_templates (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  business_account_id text not null,
  meta_id text not null default '',
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  reason text not null default '',
  parameter_format text not null default 'POSITIONAL' check (parameter_format in ('NAMED', 'POSITIONAL')),
  components jsonb not null default '[]',
  quality text not null default 'unknown' check (quality in ('green', 'yellow', 'red', 'unknown')),
  synced_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (workspace_id, business_account_id, name, language),
  primary key (workspace_id, id)
);
comment on table whatsapp_templates is 'The templates of a business account as Meta has them, one row for each language.';
comment on column whatsapp_templates.meta_id is 'Meta''s id; wider than a JSON number.';
comment on column whatsapp_templates.quality is 'Meta''s rating, from blocks and reports by recipients.';

create table whatsapp_consents (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  phone text not null,
  bsuid text,
  how text not null check (how in ('form', 'conversation', 'paper', 'call', 'in_person', 'purchase', 'other')),
  purpose text not null,
  covers text[] check (covers <@ array['authentication', 'marketing', 'utility'] and cardinality(covers) > 0),
  wording text not null default '',
  evidence text not null default '',
  given_at timestamptz not null,
  recorded_by text not null default '',
  recorded_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
alter table whatsapp_consents alter column workspace_id set statistics 0;
create index whatsapp_consents_contact on whatsapp_consents (workspace_id, contact_id, phone);
comment on table whatsapp_consents is 'Consents to be written to over WhatsApp, with their proof. Rows are only added.';
comment on column whatsapp_consents.phone is 'The number at that time: a contact''s new number starts without a consent.';
comment on column whatsapp_consents.bsuid is 'Where there is no number, the id the consent was given for.';
comment on column whatsapp_consents.purpose is 'What the person agreed to.';
comment on column whatsapp_consents.covers is 'The categories of templates it covers, sorted; null: recorded before categories, covers all.';
comment on column whatsapp_consents.wording is 'The words the person read or heard.';
comment on column whatsapp_consents.evidence is 'Where the proof is: a URL, a file, the number of a document.';

-- A recorded consent is never changed, except by the erasure of its person: the proof stays, without whom it names.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('postlark.erasing', true) = 'on' then
    return new;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger whatsapp_consents_fixed before update on whatsapp_consents for each row execute function refuse_change();

create table whatsapp_webhook_events (
  id bigint generated always as identity,
  workspace_id bigint not null,
  account_id bigint not null,
  changes jsonb not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  primary key (workspace_id, id)
);
alter table whatsapp_webhook_events alter column workspace_id set statistics 0;
create index whatsapp_webhook_events_waiting on whatsapp_webhook_events (account_id, id) where handled_at is null;
create index whatsapp_webhook_events_done on whatsapp_webhook_events (handled_at) where handled_at is not null;
comment on table whatsapp_webhook_events is 'Webhook events of Meta as received, after their signature was verified; stored first, handled after.';

create table whatsapp_conversations (
  id bigint generated always as identity,
  workspace_id bigint not null,
  account_id bigint not null,
  contact_id bigint,
  wa_id text,
  bsuid text,
  phone text,
  profile_name text not null default '',
  state text not null default 'open' check (state in ('open', 'closed')),
  assigned_to bigint references users (id) on delete set null,
  unread integer not null default 0,
  preview text not null default '',
  last_in_at timestamptz,
  last_at timestamptz not null default now(),
  held_until timestamptz,
  flow jsonb,
  changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references whatsapp_numbers (workspace_id, id) on delete cascade
);
alter table whatsapp_conversations alter column workspace_id set statistics 0;
create unique index whatsapp_conversations_wa on whatsapp_conversations (workspace_id, account_id, wa_id) where wa_id is not null;
create unique index whatsapp_conversations_bsuid on whatsapp_conversations (workspace_id, account_id, bsuid) where bsuid is not null;
create index whatsapp_conversations_recent on whatsapp_conversations (workspace_id, last_at desc, id desc);
create index whatsapp_conversations_changed on whatsapp_conversations (workspace_id, changed_at);
comment on table whatsapp_conversations is 'One person as one number knows them.';
comment on column whatsapp_conversations.wa_id is 'Meta''s id of the person that is a phone number; a person has this, a bsuid, or both.';
comment on column whatsapp_conversations.phone is 'wa_id in E.164.';
comment on column whatsapp_conversations.last_in_at is
  'The person''s last message: for 24 hours from it anything may be written, afterwards only templates.';
comment on column whatsapp_conversations.held_until is 'A person took over: no automation responds before this time.';
comment on column whatsapp_conversations.flow is 'The flow of questions under way: which one, at which question, the replies so far.';

create table whatsapp_messages (
  id bigint generated always as identity,
  workspace_id bigint not null,
  account_id bigint not null,
  conversation_id bigint,
  person text not null default '',
  direction text not null check (direction in ('in', 'out', 'note')),
  kind text not null,
  wamid text,
  text text not null default '',
  content jsonb not null default '{}',
  status text not null default 'queued'
    check (status in ('received', 'queued', 'unconfirmed', 'accepted', 'sent', 'delivered', 'read', 'failed', 'note')),
  error_code integer,
  error_text text not null default '',
  author_id bigint,
  automation_id bigint,
  campaign_id bigint,
  message_id bigint,
  template_name text,
  category text,
  billable boolean,
  country text,
  at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  primary key (workspace_id, id)
);
alter table whatsapp_messages alter column workspace_id set statistics 0;
create unique index whatsapp_messages_wamid on whatsapp_messages (workspace_id, account_id, wamid) where wamid is not null;
create unique index whatsapp_messages_campaign on whatsapp_messages (workspace_id, message_id) where message_id is not null;
create index whatsapp_messages_conversation on whatsapp_messages (conversation_id, at, id) where conversation_id is not null;
create index whatsapp_messages_waiting on whatsapp_messages (account_id, person) where conversation_id is null;
create index whatsapp_messages_time on whatsapp_messages (workspace_id, at);
create index whatsapp_messages_of_campaign on whatsapp_messages (campaign_id) where campaign_id is not null;
comment on table whatsapp_messages is 'Everything received and sent over WhatsApp, and notes among users.';
comment on column whatsapp_messages.conversation_id is 'Null: sent by a campaign and never replied to.';
comment on column whatsapp_messages.person is 'wa_id or bsuid as Meta said it, and the number it was sent to.';
comment on column whatsapp_messages.wamid is 'Meta''s id; null until Meta''s response came.';
comment on column whatsapp_messages.text is 'What the person sees of it, in words.';
comment on column whatsapp_messages.author_id is 'The user who wrote it; automation_id or message_id otherwise.';
comment on column whatsapp_messages.message_id is 'The campaign''s message.';
comment on column whatsapp_messages.category is 'What Meta bills it as: marketing, utility, authentication or service.';
comment on column whatsapp_messages.country is 'ISO 3166 country of the number.';

create table whatsapp_automations (
  id bigint generated always as identity,
  workspace_id bigint not null,
  account_id bigint not null,
  kind text not null check (kind in ('keyword', 'welcome', 'away', 'fallback')),
  name text not null,
  active boolean not null default true,
  place integer not null default 0,
  rules jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references whatsapp_numbers (workspace_id, id) on delete cascade
);
create index whatsapp_automations_account on whatsapp_automations (workspace_id, account_id, id);
comment on table whatsapp_automations is 'Automatic responses of a number.';
comment on column whatsapp_automations.place is 'The order among automations of one kind, smallest first.';
comment on column whatsapp_automations.rules is 'The rest of it as the contract has it: keywords, hours, reply, questions, hand-over.';
