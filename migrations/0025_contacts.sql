create table segments (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  filter jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table segments is 'Filters of contacts with a name; who is in one is found whenever it is used.';
comment on column segments.filter is 'Groups of conditions (contracts/contacts/conditions.ts).';
