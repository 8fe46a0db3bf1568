-- Stores the rating of a user, given as a row of user_ratings, and adds it to their average.
create or replace function save_rating(rating jsonb) returns void language plpgsql as $$
declare
  given user_ratings := jsonb_populate_record(null::user_ratings, rating);
begin
  insert into user_ratings values (given.*);
  update users set rating_sum = rating_sum + given.rate, rating_count = rating_count + 1, version = version + 1
    where id = given.user_id;
end $$;
