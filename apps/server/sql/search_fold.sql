-- Normalizes text for search: lower case without diacritics, so "malvin" finds "Malvín". Lists the letters that Unicode does
-- not decompose, and the Latin and Arabic marks. Indexes use it: a different folding needs a new function.
create or replace function search_fold(words text) returns text language sql immutable strict parallel safe
  return translate(normalize(lower(words), NFD),
    U&'\00F8\0111\0142\0131\0629\0649\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0323\0327\0328\0640\064b\064c\064d\064e\064f\0650\0651\0652\0653\0654\0655',
    U&'odli\0647\064A');
