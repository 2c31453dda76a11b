alter table forms add column proof_of_work boolean not null default false;
comment on column forms.proof_of_work is 'A program of the visitor has to solve a challenge before the form can be sent.';
