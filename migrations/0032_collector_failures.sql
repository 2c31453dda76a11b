-- Starts of a job since it last got on or was let go in order: one that ends its thread again and again is given up.
alter table collector_jobs add column failures integer not null default 0;
