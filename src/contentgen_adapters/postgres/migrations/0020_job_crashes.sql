-- claim_number: claims so far; with the worker it fences. It never falls, as attempts do when a job is put back uncounted.
-- crashes: deaths of processes in which the job was at work; crashes_alone: those with no other suspect at work.
-- suspects: how many were at work with it, itself included, when the last process died; 0: it is under no suspicion.
ALTER TABLE jobs
    ADD COLUMN claim_number  bigint  NOT NULL DEFAULT 0,
    ADD COLUMN crashes       integer NOT NULL DEFAULT 0,
    ADD COLUMN crashes_alone integer NOT NULL DEFAULT 0,
    ADD COLUMN suspects      integer NOT NULL DEFAULT 0;
