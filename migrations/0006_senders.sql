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

create table from_addresses (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  address_key text not null,
  confirmed_at timestamptz not null default now(),
  primary key (workspace_id, address_key)
);
comment on table from_addresses is
  'From addresses whose mailbox confirmed that the workspace may use them over the mail server of the installation.';
