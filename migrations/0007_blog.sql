-- Pictures, re-encoded and in their sizes. In the database and not in files: every process can serve them, and one
-- backup holds them. The hash is of what was uploaded, so that the same picture is kept once.
create table pictures (
  hash text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (hash, width)
);

-- The blog belongs to the installation, not to a workspace: admins write it, everybody reads it.
create table posts (
  id bigint generated always as identity primary key,
  slug text not null unique,
  title text not null,
  meta_title text not null default '',
  meta_description text not null default '',
  content text not null,
  -- The words of the content without markup, for search and summary.
  words text not null default '',
  category text not null default 'General',
  tags text[] not null default '{}',
  author_name text not null default 'Anonymous',
  cover_image text not null default '',
  state text not null default 'draft' check (state in ('draft', 'published')),
  -- Published with a time ahead is scheduled: it appears by itself when the time has come.
  published_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state = 'draft' or published_at is not null)
);
create index posts_published on posts (published_at desc, id desc) where state = 'published';

-- Every slug a post ever had, the current one too: old addresses lead to the post for ever.
create table post_slugs (
  slug text primary key,
  post_id bigint not null references posts (id) on delete cascade
);
create index post_slugs_post on post_slugs (post_id);
