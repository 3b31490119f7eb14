-- Test mails are counted by address, as confirmations are, so that a recipient that is deleted and made again gets no more of them.
alter table address_history drop constraint address_history_what_check;
alter table address_history add constraint address_history_what_check check (what in ('asked', 'tested', 'unsubscribed'));
