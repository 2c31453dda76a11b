create table collector_jobs (
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
create index collector_jobs_open on collector_jobs (id) where state in ('queued', 'running');
create index collector_jobs_leased on collector_jobs (leased_until) where leased_until is not null;
comment on table collector_jobs is 'Crawl jobs: collecting addresses and phone numbers from public pages.';
comment on column collector_jobs.settings is 'The request: first URLs, limits, paths, country. All first URLs are pages of depth 0.';
comment on column collector_jobs.hosts is 'The hosts of the first URLs.';
comment on column collector_jobs.sites is 'The sites (registrable domains, else host and port) of the hosts: one process crawls a site.';
comment on column collector_jobs.forgotten is 'Hosts that turned out to forbid collecting, with their words.';
comment on column collector_jobs.worker is 'The run that crawls it, until it has let go, also of a paused job.';
comment on column collector_jobs.leased_until is 'Until when the run counts as alive.';
comment on column collector_jobs.failures is 'Starts since it last progressed or was let go in order: a job that keeps ending its thread is given up.';

create table collector_pages (
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
alter table collector_pages alter column workspace_id set statistics 0;
create unique index collector_pages_url on collector_pages (workspace_id, job_id, url_hash);
create index collector_pages_next on collector_pages (job_id, turn, id) where state = 'queued';
create index collector_pages_skipped on collector_pages (job_id, id) where state = 'skipped';
comment on table collector_pages is 'The frontier: every URL a job knows, once. A killed process resumes from it.';
comment on column collector_pages.url_hash is 'The hash of the canonical form of the URL.';
comment on column collector_pages.turn is
  'The order of fetching: pages that name contacts first, and the hosts of a job in turns (collector/frontier.ts).';

-- Grows with each change of a result.
create sequence collector_revision;

create table collector_results (
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
  organisation text not null default '',
  mx text not null default 'unknown' check (mx in ('yes', 'no', 'unknown')),
  is_disposable boolean not null default false,
  is_role boolean not null default false,
  is_free boolean not null default false,
  type text,
  country text,
  list_id bigint,
  found_at timestamptz not null default now(),
  search text generated always as (lower(value || ' ' || person_name || ' ' || organisation || ' ' || source_url)) stored,
  revision bigint not null default nextval('collector_revision'),
  primary key (workspace_id, job_id, id)
);
alter table collector_results alter column workspace_id set statistics 0;
create unique index collector_results_value on collector_results (workspace_id, job_id, lower(value));
create index collector_results_confidence on collector_results (job_id, confidence, id);
create index collector_results_source on collector_results (job_id, source_url, id);
create index collector_results_revision on collector_results (job_id, revision);
comment on table collector_results is 'What a job found: each value once, on the page that says most about it.';
comment on column collector_results.context is 'The words around the value on the page.';
comment on column collector_results.list_id is 'The list the value was added to.';
comment on column collector_results.search is 'What a search looks through, in lower case once instead of at each search.';
comment on column collector_results.revision is 'Who watches a job reads the rows beyond the last revision seen.';
