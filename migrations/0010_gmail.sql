-- Gmail accounts are senders of kind gmail; what only they have stands beside the row that every sending looks at.
alter table senders add column per_minute double precision;

create table gmail_accounts (
  sender_id bigint primary key references senders (id) on delete cascade,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  access text not null check (access in ('oauth', 'app_password')),
  -- Google's subject of an OAuth account: addresses change.
  subject text,
  account text not null default 'consumer' check (account in ('consumer', 'workspace')),
  -- Google's client the grant belongs to; refreshing needs the same one.
  client_id text,
  own_client boolean not null default false,
  scopes text[] not null default '{}',
  refresh_encrypted text,
  access_encrypted text,
  access_until timestamptz,
  -- When the grant ends by itself: a client in testing mode gives seven days. null: it does not.
  refresh_until timestamptz,
  -- Somebody asks for a new access token until then: all others wait for the answer.
  refreshing_until timestamptz,
  revoked_at timestamptz,
  -- Counts the days of a slow start; null with ramp_up: nothing was sent yet.
  ramp_up boolean not null default true,
  ramp_from timestamptz,
  -- Where reading the mailbox stands: Gmail's history id, or IMAP's UID validity and UID.
  read_cursor text,
  read_at timestamptz,
  connected_at timestamptz not null default now()
);
create index gmail_accounts_workspace on gmail_accounts (workspace_id);

-- A workspace's own client in Google's console.
create table gmail_clients (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  client_id text not null,
  secret_encrypted text not null,
  created_at timestamptz not null default now()
);

-- A follow-up is a campaign of its own, so that it has a plan, links, counts and messages of its own. Its state is its
-- parent's: only `audience_at` and the frozen plan are used of it.
alter table campaigns add column parent_id bigint references campaigns (id) on delete cascade;
alter table campaigns add column step integer not null default 1;
alter table campaigns add column after_minutes integer not null default 0;
alter table campaigns add column stop_on_click boolean not null default true;
alter table campaigns add column stop_on_reply boolean not null default true;
-- { days: [1..7], from: "09:00", to: "17:00", timeZone } or null: at any time.
alter table campaigns add column sending_window jsonb;
-- Spreads the allowance of a day evenly over the sending hours.
alter table campaigns add column spread boolean not null default false;
create unique index campaigns_steps on campaigns (parent_id, step) where parent_id is not null;

-- The accounts a Gmail campaign goes through in turn.
create table campaign_senders (
  campaign_id bigint not null references campaigns (id) on delete cascade,
  sender_id bigint not null references senders (id) on delete cascade,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  position integer not null default 0,
  primary key (campaign_id, sender_id)
);

create table campaign_attachments (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  campaign_id bigint not null references campaigns (id) on delete cascade,
  name text not null,
  type text not null,
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);
create index campaign_attachments_campaign on campaign_attachments (campaign_id, id);

-- The account a message left or is to leave through; null for channels with one sender a campaign.
alter table messages add column sender_id bigint;

-- What Gmail calls a message that was sent through its API, and what came back on it.
create table gmail_messages (
  message_id bigint primary key,
  workspace_id bigint not null,
  campaign_id bigint not null,
  sender_id bigint not null,
  remote_id text not null default '',
  thread_id text not null default '',
  -- The Message-ID that really went out, where reading is allowed: Gmail may give another than ours.
  rfc_id text not null default '',
  replied_at timestamptz,
  bounced_at timestamptz,
  bounce_text text not null default ''
);
create index gmail_messages_thread on gmail_messages (sender_id, thread_id);
create index gmail_messages_campaign on gmail_messages (campaign_id);
alter table gmail_messages alter column workspace_id set statistics 0;
