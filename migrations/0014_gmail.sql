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
  sync_until timestamptz,
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
comment on column gmail_accounts.sync_until is 'One process syncs the mailbox until then.';
comment on column gmail_accounts.blocked_at is 'Its mail was refused as unwanted too often: it sends nothing until a person allows it again.';
comment on column gmail_accounts.blocks_from is 'Refusals before this time no longer count: a person allowed it to send again.';

create table gmail_clients (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  client_id text not null,
  secret_encrypted text not null,
  created_at timestamptz not null default now()
);
comment on table gmail_clients is 'A workspace''s own OAuth client in Google''s console.';
