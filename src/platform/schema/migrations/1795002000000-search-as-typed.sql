-- Phones and ids of devices are also searched without what is written between their digits, as keep_search_text() keeps them from now
-- on. Nothing that anybody sees changes, so no trigger notes a change.
alter table customers disable trigger user;
update customers set search_text = search_text || e'\n' || upper(regexp_replace(phone, '[^[:alnum:]]', '', 'g') collate "C")
where phone ~ '[^[:alnum:]]';
alter table customers enable trigger user;
alter table tanks disable trigger user;
update tanks set search_text = search_text || e'\n' || upper(regexp_replace(assigned_device_id, '[^[:alnum:]]', '', 'g') collate "C")
where assigned_device_id ~ '[^[:alnum:]]';
alter table tanks enable trigger user;
