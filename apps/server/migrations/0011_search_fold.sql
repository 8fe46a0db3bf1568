-- How words are compared in a search: small letters without their marks, so that "malvin" finds "Malvín". Letters that
-- no mark makes are named; the marks are those of Latin and Arabic writing. Indexes stand on it: another folding is
-- another function.
CREATE FUNCTION search_fold(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN translate(normalize(lower(words), NFD),
    U&'\00F8\0111\0142\0131\0629\0649\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0323\0327\0328\0640\064b\064c\064d\064e\064f\0650\0651\0652\0653\0654\0655',
    U&'odli\0647\064A');
