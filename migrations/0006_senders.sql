create table senders (
  id bigint generated always as identity,
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
  per_minute double precision,
  per_day integer,
  connections integer not null default 10,
  state text not null default 'untested' check (state in ('untested', 'working', 'failing')),
  state_text text not null default '',
  checked_at timestamptz,
  pace_at timestamptz not null default now(),
  rest_until timestamptz,
  troubles integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- The sending threads know a sender by its id.
create index senders_id on senders (id);
create unique index senders_default on senders (workspace_id) where is_default;
comment on table senders is 'Mail servers and Gmail accounts a workspace sends through.';
comment on column senders.pace_at is 'The next free slot of the limit per second, shared by all workers.';
comment on column senders.rest_until is 'Not used before this time, because the mail server could not be reached or refused to talk.';
comment on column senders.troubles is 'How often in a row the mail server could not be reached or refused to talk.';

create table sender_usage (
  workspace_id bigint not null,
  sender_id bigint not null,
  bucket timestamptz not null,
  count integer not null,
  primary key (workspace_id, sender_id, bucket),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table sender_usage is
  'Messages handed over or reserved, in buckets of five minutes: the rolling 24 hours of senders.per_day.';

create table sender_shares (
  workspace_id bigint not null,
  sender_id bigint not null,
  worker text not null,
  connections integer not null,
  permits integer not null,
  since timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, sender_id, worker),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table sender_shares is
  'What a sending thread may use of a sender''s connections and limit per second. All shares of a sender together never exceed it (docs/decisions/0036-shares-of-a-sender.md).';
comment on column sender_shares.expires_at is 'A share that is not renewed by then goes back to the others.';

create table from_addresses (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  address_key text not null,
  confirmed_at timestamptz not null default now(),
  primary key (workspace_id, address_key)
);
comment on table from_addresses is
  'From addresses whose mailbox confirmed that the workspace may use them over the mail server of the installation.';

create table gmail_accounts (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  sender_id bigint not null,
  access text not null check (access in ('oauth', 'app_password')),
  subject text,
  account text not null default 'consumer' check (account in ('consumer', 'workspace')),
  client_id text,
  own_client boolean not null default false,
  scopes text[] not null default '{}',
  refresh_encrypted text,
  access_encrypted text,
  access_until timestamptz,
  refresh_until timestamptz,
  refreshing_until timestamptz,
  revoked_at timestamptz,
  ramp_up boolean not null default true,
  ramp_from timestamptz,
  read_cursor text,
  read_at timestamptz,
  read_text text not null default '',
  read_after timestamptz,
  read_failures integer not null default 0,
  reading_until timestamptz,
  blocked_at timestamptz,
  blocked_text text not null default '',
  blocks_from timestamptz,
  connected_at timestamptz not null default now(),
  primary key (workspace_id, sender_id),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
create index gmail_accounts_sender on gmail_accounts (sender_id);
comment on table gmail_accounts is 'What senders of kind gmail have in addition.';
comment on column gmail_accounts.subject is 'Google''s subject of an OAuth account: addresses change.';
comment on column gmail_accounts.client_id is 'Google''s client the grant belongs to: refreshing needs the same one.';
comment on column gmail_accounts.own_client is 'The client is the workspace''s own (gmail_clients).';
comment on column gmail_accounts.refresh_until is 'When the grant ends by itself (seven days for a client in testing mode); null: it does not.';
comment on column gmail_accounts.refreshing_until is 'One process requests a new access token until then; all others wait for it.';
comment on column gmail_accounts.ramp_from is 'The first day of the slow start; null with ramp_up: nothing was sent yet.';
comment on column gmail_accounts.read_cursor is 'How far the mailbox was read: Gmail''s history id, or UID validity and UID of IMAP.';
comment on column gmail_accounts.read_text is 'Why the mailbox could not be read.';
comment on column gmail_accounts.read_after is 'Not read before this time: mailboxes that fail are read less and less often.';
comment on column gmail_accounts.reading_until is 'One process reads the mailbox until then.';
comment on column gmail_accounts.blocked_at is 'Its mail was refused as unwanted too often: it sends nothing until a person allows it again.';
comment on column gmail_accounts.blocks_from is 'Refusals before this time no longer count: a person allowed it to send again.';

create table gmail_clients (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  client_id text not null,
  secret_encrypted text not null,
  created_at timestamptz not null default now()
);
comment on table gmail_clients is 'A workspace''s own OAuth client in Google''s console.';
