create table crawl_jobs (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null check (kind in ('email', 'phone')),
  settings jsonb not null,
  hosts text[] not null,
  sites text[] not null,
  url_count integer not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'paused', 'done', 'stopped', 'failed')),
  state_text text not null default '',
  pages_fetched integer not null default 0,
  pages_queued integer not null default 0,
  found integer not null default 0,
  forgotten jsonb not null default '[]',
  skipped jsonb not null default '{}',
  worker text,
  leased_until timestamptz,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (workspace_id, id)
);
create index crawl_jobs_open on crawl_jobs (id) where state in ('queued', 'running');
create index crawl_jobs_leased on crawl_jobs (leased_until) where leased_until is not null;
comment on table crawl_jobs is 'Crawl jobs: collecting addresses and phone numbers from public pages.';
comment on column crawl_jobs.settings is 'The request: first URLs, limits, paths, country. All first URLs are pages of depth 0.';
comment on column crawl_jobs.hosts is 'The hosts of the first URLs.';
comment on column crawl_jobs.sites is 'The sites (registrable domains, else host and port) of the hosts: one process crawls a site.';
comment on column crawl_jobs.forgotten is 'Hosts that turned out to forbid collecting, with their words.';
comment on column crawl_jobs.worker is 'The run that crawls it, until it has let go, also of a paused job.';
comment on column crawl_jobs.leased_until is 'Until when the run counts as alive.';
comment on column crawl_jobs.failures is 'Starts since it last progressed or was let go in order: a job that keeps ending its thread is given up.';

create table crawl_pages (
  id bigint generated always as identity,
  workspace_id bigint not null,
  job_id bigint not null,
  url_hash bytea not null,
  url text not null,
  depth integer not null,
  priority smallint not null,
  turn integer not null,
  state text not null default 'queued' check (state in ('queued', 'fetched', 'skipped')),
  reason text not null default '',
  reason_text text not null default '',
  content_hash bytea,
  at timestamptz not null default now(),
  primary key (workspace_id, job_id, id)
);
alter table crawl_pages alter column workspace_id set statistics 0;
create unique index crawl_pages_url on crawl_pages (workspace_id, job_id, url_hash);
create index crawl_pages_next on crawl_pages (job_id, turn, id) where state = 'queued';
create index crawl_pages_skipped on crawl_pages (job_id, id) where state = 'skipped';
comment on table crawl_pages is 'The frontier: every URL a job knows, once. A killed process resumes from it.';
comment on column crawl_pages.url_hash is 'The hash of the canonical form of the URL.';
comment on column crawl_pages.turn is
  'The order of fetching: pages that name contacts first, and the hosts of a job in turns (collector/frontier.ts).';

-- Grows with each change of a result.
create sequence crawl_revision;

create table crawl_results (
  id bigint generated always as identity,
  workspace_id bigint not null,
  job_id bigint not null,
  value text not null,
  source_url text not null,
  page_title text not null default '',
  context text not null default '',
  method text not null,
  confidence real not null,
  person_name text not null default '',
  organization text not null default '',
  mx text not null default 'unknown' check (mx in ('yes', 'no', 'unknown')),
  is_disposable boolean not null default false,
  is_role boolean not null default false,
  is_free boolean not null default false,
  type text,
  country text,
  list_id bigint,
  found_at timestamptz not null default now(),
  search text generated always as (lower(value || ' ' || person_name || ' ' || organization || ' ' || source_url)) stored,
  revision bigint not null default nextval('crawl_revision'),
  primary key (workspace_id, job_id, id)
);
alter table crawl_results alter column workspace_id set statistics 0;
create unique index crawl_results_value on crawl_results (workspace_id, job_id, lower(value));
create index crawl_results_confidence on crawl_results (job_id, confidence, id);
create index crawl_results_source on crawl_results (job_id, source_url, id);
create index crawl_results_revision on crawl_results (job_id, revision);
comment on table crawl_results is 'What a job found: each value once, on the page that says most about it.';
comment on column crawl_results.context is 'The words around the value on the page.';
comment on column crawl_results.list_id is 'The list the value was added to.';
comment on column crawl_results.search is 'What a search looks through, in lower case once instead of at each search.';
comment on column crawl_results.revision is 'Who watches a job reads the rows beyond the last revision seen.';
