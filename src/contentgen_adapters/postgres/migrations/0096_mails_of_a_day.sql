-- How many mails were sent to a mailbox on a day, whichever process sent them. `mailbox` is a SHA-256 of its address.
CREATE TABLE mail_counts (
    day     date             NOT NULL,
    mailbox text COLLATE "C" NOT NULL,
    sent    integer          NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (day, mailbox)
) WITH (fillfactor = 70);
