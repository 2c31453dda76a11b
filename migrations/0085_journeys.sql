alter table journeys add column version integer not null default 1;
comment on column journeys.version is 'Counts the changes of its name, steps and state.';
