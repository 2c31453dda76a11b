-- WhatsApp through Meta's Cloud API ------------------------------------------------------------------------------------
-- A business number with what is needed to speak for it. The same number may be connected in several workspaces: each
-- proved that it holds a token for it, and each hears the number's webhooks.
create table whatsapp_accounts (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null default '',
  phone_number_id text not null,
  business_account_id text not null,
  -- Sealed and bound to this row; they never come back.
  token_encrypted text not null default '',
  app_secret_encrypted text not null default '',
  display_phone text not null default '',
  verified_name text not null default '',
  quality text not null default 'unknown' check (quality in ('green', 'yellow', 'red', 'unknown')),
  -- People who may be written to first in a rolling 24 hours; all numbers of a portfolio share it. null: unknown or without a limit.
  tier text not null default '',
  daily_limit integer,
  portfolio_id text not null default '',
  per_second integer not null default 80,
  -- working; failing: the last call failed; reconnect: the token no longer counts; restricted: Meta stopped the number.
  state text not null default 'working' check (state in ('working', 'failing', 'reconnect', 'restricted')),
  state_text text not null default '',
  checked_at timestamptz,
  -- Whether Meta confirmed where to send webhooks, and when the last one came.
  subscribed boolean not null default false,
  webhook_at timestamptz,
  templates_at timestamptz,
  -- The next free slot of the pace, shared by all workers, and the rest after Meta said: slower.
  pace_at timestamptz not null default now(),
  rest_until timestamptz,
  troubles integer not null default 0,
  created_at timestamptz not null default now(),
  unique (workspace_id, phone_number_id)
);
create index whatsapp_accounts_number on whatsapp_accounts (phone_number_id);
create index whatsapp_accounts_business on whatsapp_accounts (business_account_id);

-- What Meta has, kept here: a business account's templates, one row for each language.
create table whatsapp_templates (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  business_account_id text not null,
  -- Meta's id; wider than a JSON number.
  meta_id text not null default '',
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  reason text not null default '',
  parameter_format text not null default 'POSITIONAL' check (parameter_format in ('NAMED', 'POSITIONAL')),
  components jsonb not null default '[]',
  synced_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (workspace_id, business_account_id, name, language)
);
create index whatsapp_templates_workspace on whatsapp_templates (workspace_id, id desc);

-- Consent to be written to over WhatsApp, with its proof. Rows are only ever added; for the number as it then was, so
-- that a contact's new number begins without one.
create table whatsapp_opt_ins (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  contact_id bigint not null,
  phone text not null,
  how text not null check (how in ('form', 'conversation', 'paper', 'call', 'in_person', 'purchase', 'other')),
  -- What they agreed to, and the words they read or heard.
  purpose text not null,
  wording text not null default '',
  -- Where the proof lies: an address, a file, a document's number.
  evidence text not null default '',
  given_at timestamptz not null,
  recorded_by text not null default '',
  recorded_at timestamptz not null default now()
);
create index whatsapp_opt_ins_contact on whatsapp_opt_ins (workspace_id, contact_id, phone);
alter table whatsapp_opt_ins alter column workspace_id set statistics 0;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger whatsapp_opt_ins_fixed before update on whatsapp_opt_ins for each row execute function refuse_change();

-- Webhooks as they came, after their signature was found right; taken in first, worked on after.
create table whatsapp_hooks (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  account_id bigint not null,
  changes jsonb not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index whatsapp_hooks_waiting on whatsapp_hooks (account_id, id) where handled_at is null;
create index whatsapp_hooks_done on whatsapp_hooks (handled_at) where handled_at is not null;
alter table whatsapp_hooks alter column workspace_id set statistics 0;

-- One person as one number knows him. Meta's id of a person may be a phone number (wa_id), a business-scoped one (bsuid), or both.
create table whatsapp_conversations (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  account_id bigint not null references whatsapp_accounts (id) on delete cascade,
  contact_id bigint,
  wa_id text,
  bsuid text,
  -- wa_id in international form.
  phone text,
  profile_name text not null default '',
  state text not null default 'open' check (state in ('open', 'closed')),
  assigned_to bigint references users (id) on delete set null,
  unread integer not null default 0,
  preview text not null default '',
  -- The person's last message: 24 hours from it anything may be written, afterwards only templates.
  last_in_at timestamptz,
  last_at timestamptz not null default now(),
  -- A person took over: nothing answers by itself before this time.
  held_until timestamptz,
  -- A flow of questions under way: which, at which question, what was answered.
  flow jsonb,
  changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now()
);
create unique index whatsapp_conversations_wa on whatsapp_conversations (account_id, wa_id) where wa_id is not null;
create unique index whatsapp_conversations_bsuid on whatsapp_conversations (account_id, bsuid) where bsuid is not null;
create index whatsapp_conversations_recent on whatsapp_conversations (workspace_id, last_at desc, id desc);
create index whatsapp_conversations_changed on whatsapp_conversations (workspace_id, changed_at);
alter table whatsapp_conversations alter column workspace_id set statistics 0;

-- Everything said over WhatsApp, in and out, and notes among ourselves.
create table whatsapp_messages (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  account_id bigint not null,
  -- null: written to by a campaign and never answered.
  conversation_id bigint,
  -- The person: wa_id or bsuid, as Meta said it, and the number it was sent to.
  person text not null default '',
  direction text not null check (direction in ('in', 'out', 'note')),
  kind text not null,
  -- Meta's id; null until its answer came.
  wamid text,
  -- What the person sees of it, in words.
  text text not null default '',
  content jsonb not null default '{}',
  status text not null default 'queued'
    check (status in ('received', 'queued', 'unconfirmed', 'accepted', 'sent', 'delivered', 'read', 'failed', 'note')),
  error_code integer,
  error_text text not null default '',
  -- Who wrote it: a user's id, or an automation's, or the campaign's message.
  author_id bigint,
  automation_id bigint,
  campaign_id bigint,
  message_id bigint,
  template_name text,
  -- What Meta says it costs by: marketing, utility, authentication or service; ISO 3166 country of the number.
  category text,
  billable boolean,
  country text,
  at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz
);
create unique index whatsapp_messages_wamid on whatsapp_messages (account_id, wamid) where wamid is not null;
create unique index whatsapp_messages_campaign on whatsapp_messages (message_id) where message_id is not null;
create index whatsapp_messages_conversation on whatsapp_messages (conversation_id, at, id) where conversation_id is not null;
create index whatsapp_messages_waiting on whatsapp_messages (account_id, person) where conversation_id is null;
create index whatsapp_messages_time on whatsapp_messages (workspace_id, at);
alter table whatsapp_messages alter column workspace_id set statistics 0;

create table whatsapp_automations (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  account_id bigint not null references whatsapp_accounts (id) on delete cascade,
  kind text not null check (kind in ('keyword', 'welcome', 'away', 'fallback')),
  name text not null,
  active boolean not null default true,
  -- Smaller is asked first, among those of one kind.
  place integer not null default 0,
  -- The rest of it as contracts/whatsapp-automations.ts has it: keywords, hours, reply, questions, hand-over.
  rules jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index whatsapp_automations_account on whatsapp_automations (workspace_id, account_id, id);

-- Campaigns of channel whatsapp: which number, which template, and what fills its variables.
alter table campaigns add column whatsapp jsonb;
