-- Pieces of letters a workspace keeps to use again.
create table saved_blocks (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  mjml text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index saved_blocks_workspace on saved_blocks (workspace_id, id desc);

-- The colours and fonts of a workspace's letters.
create table brands (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  -- #rrggbb, the main one first.
  colours text[] not null default '{}',
  -- CSS font families, for text and for headings; empty: as the letter has it.
  text_font text not null default '',
  heading_font text not null default '',
  updated_at timestamptz not null default now()
);

-- Money that went back: refunds, and payments their card's holder disputes, as the provider told us last.
create table payment_reversals (
  id text primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null check (kind in ('refund', 'dispute')),
  invoice_id text,
  amount bigint not null,
  currency text not null,
  -- The provider's words.
  status text not null,
  reason text not null default '',
  created_at timestamptz not null
);
create index payment_reversals_workspace on payment_reversals (workspace_id, created_at desc);
create index payment_reversals_latest on payment_reversals (created_at desc);
