-- Accounts -------------------------------------------------------------------------------------------------------
create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  company text not null default '',
  postal_address text not null default '',
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  email text not null,
  email_key text not null unique,
  name text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  plan text not null default 'free',
  password_hash text,
  auth_provider text not null default 'credentials' check (auth_provider in ('credentials', 'google')),
  email_verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index users_workspace on users (workspace_id);

create table sessions (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

-- Single-use links in mail; only the hash of the token is kept.
create table user_tokens (
  hash text primary key,
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index user_tokens_user on user_tokens (user_id);

-- Counters behind every limit by account or address, so that they hold over processes and restarts.
create table throttles (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);

-- Contacts, members, messages and events number in millions: they carry no foreign keys (a check a row costs more than
-- the row); the stores that own them delete them with their owner.
-- Contacts -------------------------------------------------------------------------------------------------------
create table lists (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  optin text not null default 'single' check (optin in ('single', 'double')),
  created_at timestamptz not null default now()
);
create index lists_workspace on lists (workspace_id, id);

create table contacts (
  id bigint generated always as identity,
  workspace_id bigint not null,
  email text,
  email_key text,
  phone text,
  name text not null default '',
  attributes jsonb not null default '{}',
  source text not null default 'manual',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (email is not null or phone is not null),
  -- Also the order of every list of contacts: one index less to keep for each of a million.
  primary key (workspace_id, id)
);
create unique index contacts_email on contacts (workspace_id, email_key);
create unique index contacts_phone on contacts (workspace_id, phone) where email_key is null;

create table list_members (
  workspace_id bigint not null,
  list_id bigint not null,
  contact_id bigint not null,
  status text not null default 'confirmed' check (status in ('confirmed', 'pending', 'unsubscribed')),
  at timestamptz not null default now(),
  primary key (list_id, contact_id)
);
create index list_members_contact on list_members (contact_id);

create table suppressions (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  channel text not null default 'email' check (channel in ('email', 'whatsapp')),
  address text not null,
  address_key text not null,
  reason text not null,
  note text not null default '',
  campaign_id bigint,
  at timestamptz not null default now()
);
create unique index suppressions_address on suppressions (workspace_id, channel, address_key);

create table imports (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  list_id bigint references lists (id) on delete set null,
  file_name text not null,
  file_path text not null,
  mapping jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  -- The most contacts the workspace may have, by the plan at the time; null is without a limit.
  contact_limit integer,
  -- Rows of the file dealt with: where a run that died is taken up again, once nobody has been seen at it for a while.
  total bigint not null default 0,
  alive_at timestamptz not null default now(),
  imported bigint not null default 0,
  updated bigint not null default 0,
  skipped bigint not null default 0,
  error_count bigint not null default 0,
  progress double precision not null default 0,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index imports_workspace on imports (workspace_id, id desc);

create table import_errors (
  import_id bigint not null references imports (id) on delete cascade,
  row bigint not null,
  reason text not null,
  line text not null default '',
  primary key (import_id, row)
);

-- Templates and senders ------------------------------------------------------------------------------------------
create table templates (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  subject text not null default '',
  html text not null default '',
  mjml text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index templates_workspace on templates (workspace_id, id desc);

create table senders (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null default 'smtp' check (kind in ('smtp', 'gmail')),
  name text not null default '',
  is_default boolean not null default false,
  host text,
  port integer,
  secure text check (secure in ('tls', 'starttls', 'none')),
  username text,
  password_encrypted text,
  from_name text not null default '',
  from_email text not null default '',
  per_second double precision,
  per_day integer,
  connections integer not null default 10,
  state text not null default 'untested' check (state in ('untested', 'working', 'failing')),
  state_text text not null default '',
  checked_at timestamptz,
  -- The next free slot of the per-second pace, shared by all workers.
  pace_at timestamptz not null default now(),
  -- After a mail server could not be reached or refused to talk: not before this time, and how often in a row.
  rest_until timestamptz,
  troubles integer not null default 0,
  created_at timestamptz not null default now()
);
create index senders_workspace on senders (workspace_id, id);
create unique index senders_default on senders (workspace_id) where is_default;

-- Messages handed over or reserved, in buckets of five minutes: the rolling 24 hours of perDay.
create table sender_usage (
  sender_id bigint not null references senders (id) on delete cascade,
  bucket timestamptz not null,
  count integer not null,
  primary key (sender_id, bucket)
);

-- Campaigns ------------------------------------------------------------------------------------------------------
create table campaigns (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  channel text not null default 'email' check (channel in ('email', 'gmail', 'whatsapp')),
  state text not null default 'draft'
    check (state in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
  state_text text not null default '',
  sender_id bigint references senders (id) on delete set null,
  subject text not null default '',
  template_id bigint references templates (id) on delete set null,
  html text not null default '',
  track_opens boolean not null default true,
  track_clicks boolean not null default true,
  scheduled_at timestamptz,
  time_zone text,
  -- Frozen when sending starts: the compiled plan; null before.
  plan jsonb,
  -- When the recipients were written down: until then there is nothing to claim and nothing to finish.
  audience_at timestamptz,
  -- Messages handed over and hard refusals since the last start or resume: what the breaker looks at.
  handed integer not null default 0,
  hard integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Out of sight, but kept: links in mail that was sent must work for ever.
  deleted_at timestamptz
);
create index campaigns_workspace on campaigns (workspace_id, id desc);
create index campaigns_running on campaigns (state) where state in ('scheduled', 'sending');

create table campaign_lists (
  campaign_id bigint not null references campaigns (id) on delete cascade,
  list_id bigint not null references lists (id) on delete cascade,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  primary key (campaign_id, list_id)
);

-- One row a recipient of a campaign: the truth about every message.
create table messages (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  campaign_id bigint not null,
  contact_id bigint not null,
  address text not null,
  state text not null default 'queued'
    check (state in ('queued', 'claimed', 'sent', 'deferred', 'failed', 'bounced', 'suppressed', 'unconfirmed')),
  reason text not null default '',
  claim_id bigint,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  due_at timestamptz default now(),
  response text not null default '',
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (campaign_id, contact_id)
);
-- What is to be sent has a time from which on it is due; what is claimed or done has none. One index finds the next ones,
-- and no other index can give this order, so that no planner walks over the ones already sent.
create index messages_due on messages (campaign_id, due_at, id) where due_at is not null;
create index messages_troubled on messages (campaign_id, state, contact_id) where state in ('failed', 'bounced', 'suppressed', 'unconfirmed');

-- How many messages of a campaign are in which state, kept by the triggers below in the transaction that changes them:
-- it cannot drift, and reading it costs the same for ten recipients and ten million.
create table campaign_counts (
  campaign_id bigint primary key,
  queued bigint not null default 0,
  claimed bigint not null default 0,
  sent bigint not null default 0,
  deferred bigint not null default 0,
  failed bigint not null default 0,
  bounced bigint not null default 0,
  suppressed bigint not null default 0,
  unconfirmed bigint not null default 0
);

create function add_campaign_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from campaign_counts c using (select distinct campaign_id from old_rows) o
      where c.campaign_id = o.campaign_id and not exists (select 1 from messages m where m.campaign_id = o.campaign_id);
    return null;
  end if;
  insert into campaign_counts as c (campaign_id, queued, claimed, sent, deferred, failed, bounced, suppressed, unconfirmed)
  select campaign_id,
    count(*) filter (where state = 'queued'), count(*) filter (where state = 'claimed'), count(*) filter (where state = 'sent'),
    count(*) filter (where state = 'deferred'), count(*) filter (where state = 'failed'), count(*) filter (where state = 'bounced'),
    count(*) filter (where state = 'suppressed'), count(*) filter (where state = 'unconfirmed')
  from new_rows group by campaign_id order by campaign_id
  on conflict (campaign_id) do update set
    queued = c.queued + excluded.queued, claimed = c.claimed + excluded.claimed, sent = c.sent + excluded.sent,
    deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced,
    suppressed = c.suppressed + excluded.suppressed, unconfirmed = c.unconfirmed + excluded.unconfirmed;
  return null;
end $$;

create function move_campaign_counts() returns trigger language plpgsql as $$
begin
  update campaign_counts c set
    queued = c.queued + d.queued, claimed = c.claimed + d.claimed, sent = c.sent + d.sent, deferred = c.deferred + d.deferred,
    failed = c.failed + d.failed, bounced = c.bounced + d.bounced, suppressed = c.suppressed + d.suppressed,
    unconfirmed = c.unconfirmed + d.unconfirmed
  from (
    select campaign_id,
      coalesce(sum(n) filter (where state = 'queued'), 0) as queued, coalesce(sum(n) filter (where state = 'claimed'), 0) as claimed,
      coalesce(sum(n) filter (where state = 'sent'), 0) as sent, coalesce(sum(n) filter (where state = 'deferred'), 0) as deferred,
      coalesce(sum(n) filter (where state = 'failed'), 0) as failed, coalesce(sum(n) filter (where state = 'bounced'), 0) as bounced,
      coalesce(sum(n) filter (where state = 'suppressed'), 0) as suppressed,
      coalesce(sum(n) filter (where state = 'unconfirmed'), 0) as unconfirmed
    from (
      select campaign_id, state, count(*) as n from new_rows group by campaign_id, state
      union all
      select campaign_id, state, -count(*) as n from old_rows group by campaign_id, state
    ) moves group by campaign_id order by campaign_id
  ) d where c.campaign_id = d.campaign_id;
  return null;
end $$;

create trigger messages_added after insert on messages
  referencing new table as new_rows for each statement execute function add_campaign_counts();
create trigger messages_moved after update on messages
  referencing old table as old_rows new table as new_rows for each statement execute function move_campaign_counts();
create trigger messages_removed after delete on messages
  referencing old table as old_rows for each statement execute function add_campaign_counts();

-- A slice of messages taken by one worker. Its journal lies in the journal home (a data folder) the worker used.
create table claims (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references campaigns (id) on delete cascade,
  worker text not null,
  journal_home text not null,
  message_ids bigint[] not null default '{}',
  created_at timestamptz not null default now(),
  alive_at timestamptz not null default now()
);

-- Counting -------------------------------------------------------------------------------------------------------
create table campaign_links (
  campaign_id bigint not null references campaigns (id) on delete cascade,
  link integer not null,
  url text not null,
  primary key (campaign_id, link)
);

-- Raw events, never changed but for their class, which is worked out from them and can be worked out again.
create table events (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  campaign_id bigint not null,
  message_id bigint not null,
  kind text not null check (kind in ('open', 'click', 'unsubscribe', 'complaint', 'view')),
  link integer,
  at timestamptz not null default now(),
  network text not null default '',
  user_agent text not null default '',
  hints jsonb not null default '{}',
  class text not null check (class in ('human', 'machine')),
  reason text not null default '',
  classifier integer not null default 1
);
create index events_campaign on events (campaign_id, kind, class);
create index events_message on events (message_id, at);

-- Small facts about the installation, such as whether the first admin was made.
create table settings (
  key text primary key,
  value text not null
);
