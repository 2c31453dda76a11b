-- In the database and not in files: every process can serve them, and one backup holds them.
create table images (
  hash text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (hash, width)
);
comment on table images is
  'Images, re-encoded and in several sizes. Workspaces and the blog share them by hash, so they belong to the installation.';
comment on column images.hash is 'Of the uploaded bytes: the same image is stored once.';

create table workspace_images (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  url text not null,
  width integer not null,
  height integer not null,
  name text not null,
  alt text not null default '',
  created_at timestamptz not null default now(),
  unique (workspace_id, url),
  primary key (workspace_id, id)
);
comment on table workspace_images is
  'The image library of a workspace. The bytes are in images; removing an image here leaves sent emails as they are.';
