-- Starts of a job since it last got on or was let go in order: one that ends its thread again and again is given up.
alter table collector_jobs add column failures integer not null default 0;
-- Requests an event stands for: beyond the first of a kind and message they are only counted.
alter table events add column times integer not null default 1;
