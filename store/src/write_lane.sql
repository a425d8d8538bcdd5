-- Writes the commits of one lane, the summaries that they change, and an entry in the feed of the lane. Returns how many
-- commits were written and the number of the entry; 0 and 0 if all keys were taken.
--
-- Everything concerns one lane, so a distributed database runs the whole function on the node of that lane.
CREATE OR REPLACE FUNCTION telar_write_lane(
    the_lane int2, contended bool,
    ids uuid[], seqs int8[], counts int4[], ats int8[], players uuid[], commands uuid[], payloads text[], hashes bytea[],
    waitings int2[], lives bool[],
    match_ids uuid[], match_hashes bytea[], games text[], statuses text[], publics bool[], seat_counts int2[],
    resignations int2[], deadlines int8[],
    seat_ids uuid[], seat_hashes bytea[], seat_numbers int2[], sitters uuid[], overs bool[]
) RETURNS int8[] LANGUAGE plpgsql AS $$
DECLARE
    written int8;
    before bytea[] := '{}';
    fresh bytea[];
    keys bytea;
    entry int8;
BEGIN
    -- The counter comes first: whoever writes to the lane waits here, so nobody else writes meanwhile.
    PERFORM FROM lanes WHERE lanes.lane = the_lane FOR UPDATE;
    IF contended THEN
        SELECT coalesce(array_agg(commits.hash), '{}') INTO before
        FROM commits JOIN unnest(ids, seqs) AS key(match_id, seq)
            ON commits.match_id = key.match_id AND commits.seq = key.seq
        WHERE commits.lane = the_lane;
    END IF;
    INSERT INTO commits (lane, match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life)
    SELECT the_lane, match_id, seq, count, at, player_id, command_id, payload::json, hash, waiting, life
    FROM unnest(ids, seqs, counts, ats, players, commands, payloads, hashes, waitings, lives)
        AS input(match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < cardinality(ids) THEN
        -- Whoever did not expect this asks again, with `contended`.
        IF NOT contended THEN
            RAISE unique_violation USING MESSAGE = 'another commit has the place';
        END IF;
        SELECT array_agg(DISTINCT commits.hash) INTO fresh
        FROM commits JOIN unnest(ids, seqs, hashes) AS key(match_id, seq, hash)
            ON commits.match_id = key.match_id AND commits.seq = key.seq AND commits.hash = key.hash
        WHERE commits.lane = the_lane AND commits.hash <> ALL (before);
        IF fresh IS NULL THEN
            RETURN ARRAY[0, 0];
        END IF;
    END IF;
    INSERT INTO matches (lane, id, game, status, public, seats, resigned, due_at)
    SELECT DISTINCT the_lane, id, game, status, public, seats, resigned, due_at
    FROM unnest(match_ids, match_hashes, games, statuses, publics, seat_counts, resignations, deadlines)
        AS input(id, hash, game, status, public, seats, resigned, due_at)
    WHERE fresh IS NULL OR hash = ANY (fresh)
    ON CONFLICT (lane, id) DO UPDATE SET
        status = excluded.status, resigned = excluded.resigned, due_at = excluded.due_at;
    INSERT INTO match_seats (lane, match_id, seat, player_id, over)
    SELECT DISTINCT the_lane, match_id, seat, player_id, over
    FROM unnest(seat_ids, seat_hashes, seat_numbers, sitters, overs) AS input(match_id, hash, seat, player_id, over)
    WHERE fresh IS NULL OR hash = ANY (fresh)
    ON CONFLICT (lane, match_id, seat) DO UPDATE SET player_id = excluded.player_id, over = excluded.over;
    SELECT string_agg(uuid_send(match_id) || int8send(seq), ''::bytea ORDER BY match_id, seq) INTO keys
    FROM (
        SELECT DISTINCT match_id, seq FROM unnest(ids, seqs, hashes) AS input(match_id, seq, hash)
        WHERE fresh IS NULL OR hash = ANY (fresh)
    ) AS fed;
    UPDATE lanes SET pos = pos + 1 WHERE lanes.lane = the_lane RETURNING pos INTO entry;
    INSERT INTO feed (lane, pos, commits) VALUES (the_lane, entry, keys);
    RETURN ARRAY[written, entry];
END
$$;
