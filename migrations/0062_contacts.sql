create index contact_jobs_finished on contact_jobs (finished_at) where finished_at is not null;
