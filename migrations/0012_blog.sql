-- The blog belongs to the installation and not to a workspace: admins write it, everybody reads it.
create table posts (
  id bigint generated always as identity primary key,
  slug text not null unique,
  title text not null,
  meta_title text not null default '',
  meta_description text not null default '',
  content text not null,
  words text not null default '',
  category text not null default 'General',
  tags text[] not null default '{}',
  author_name text not null default 'Anonymous',
  cover_image text not null default '',
  state text not null default 'draft' check (state in ('draft', 'published')),
  published_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state = 'draft' or published_at is not null)
);
create index posts_published on posts (published_at desc, id desc) where state = 'published';
comment on table posts is 'Posts of the blog.';
comment on column posts.words is 'The content without markup, for search and summary.';
comment on column posts.published_at is 'Published with a future time is scheduled: the post appears at that time.';

create table post_slugs (
  slug text primary key,
  post_id bigint not null references posts (id) on delete cascade
);
create index post_slugs_post on post_slugs (post_id);
comment on table post_slugs is 'Every slug a post ever had, the current one included: old URLs lead to the post for ever.';
