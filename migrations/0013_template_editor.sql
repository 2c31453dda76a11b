-- The author's own plain text, and the number of the state a template is in: two tabs that write notice each other by it.
alter table templates add column text text not null default '';
alter table templates add column version integer not null default 1;

-- States a template had, to go back to. Kept at most twenty of a template (server/features/templates/versions.ts).
create table template_versions (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  template_id bigint not null references templates (id) on delete cascade,
  version integer not null,
  name text not null,
  subject text not null,
  html text not null,
  mjml text not null,
  text text not null,
  -- When the template came into this state.
  created_at timestamptz not null
);
create index template_versions_template on template_versions (workspace_id, template_id, id desc);

-- The pictures a workspace has at hand. The bytes are in pictures, shared by their hash; removing one here leaves letters
-- that were sent as they are.
create table workspace_pictures (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  url text not null,
  width integer not null,
  height integer not null,
  name text not null,
  alt text not null default '',
  created_at timestamptz not null default now(),
  unique (workspace_id, url)
);
