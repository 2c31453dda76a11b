-- Addresses whose mailbox confirmed that a workspace may write from them over the installation's own mail server.
create table from_addresses (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  address_key text not null,
  confirmed_at timestamptz not null default now(),
  primary key (workspace_id, address_key)
);
