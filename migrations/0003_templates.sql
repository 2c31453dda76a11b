create table templates (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  subject text not null default '',
  html text not null default '',
  mjml text not null default '',
  text text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table templates is 'Email templates.';
comment on column templates.text is 'The plain text of the author; empty: it is made from the HTML.';
comment on column templates.version is 'The number of the current state: two tabs that write notice each other by it.';

create table template_versions (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  template_id bigint not null,
  version integer not null,
  name text not null,
  subject text not null,
  html text not null,
  mjml text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, template_id) references templates (workspace_id, id) on delete cascade
);
create index template_versions_template on template_versions (workspace_id, template_id, id desc);
comment on table template_versions is 'Earlier states of a template, at most twenty each (server/features/templates/versions.ts).';
comment on column template_versions.created_at is 'When the template came into this state.';

create table saved_blocks (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  mjml text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table saved_blocks is 'Parts of templates that a workspace saved for other templates.';

create table brands (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  colors text[] not null default '{}',
  text_font text not null default '',
  heading_font text not null default '',
  updated_at timestamptz not null default now()
);
comment on table brands is 'The colors and fonts of a workspace''s emails.';
comment on column brands.colors is '#rrggbb, the main color first.';
comment on column brands.text_font is 'A CSS font family; empty: the one of the template.';
comment on column brands.heading_font is 'A CSS font family; empty: the one of the template.';
