#include "CControls.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct ctl_database {
    sqlite3 *connection;
    sqlite3_stmt *insert, *select;
};

ctl_database *ctl_database_open(const char *path) {
    ctl_database *database = calloc(1, sizeof *database);
    if (!database) return NULL;
    const char *setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                        "CREATE TABLE entries (key INTEGER PRIMARY KEY, value BLOB NOT NULL)";
    if (sqlite3_open(path, &database->connection) == SQLITE_OK &&
        sqlite3_exec(database->connection, setup, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(database->connection, "INSERT OR REPLACE INTO entries VALUES (?, ?)", -1, &database->insert,
                           NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(database->connection, "SELECT value FROM entries WHERE key = ?", -1, &database->select,
                           NULL) == SQLITE_OK)
        return database;
    ctl_database_close(database);
    return NULL;
}

void ctl_database_close(ctl_database *database) {
    sqlite3_finalize(database->insert);
    sqlite3_finalize(database->select);
    sqlite3_close(database->connection);
    free(database);
}

int ctl_database_store(ctl_database *database, int64_t key, const void *bytes, size_t count) {
    sqlite3_bind_int64(database->insert, 1, key);
    sqlite3_bind_blob64(database->insert, 2, bytes, count, SQLITE_STATIC);
    int status = sqlite3_step(database->insert);
    sqlite3_reset(database->insert);
    return status == SQLITE_DONE ? 0 : -1;
}

ptrdiff_t ctl_database_read(ctl_database *database, int64_t key, void *room, size_t capacity) {
    ptrdiff_t count = -1;
    sqlite3_bind_int64(database->select, 1, key);
    if (sqlite3_step(database->select) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(database->select, 0);
        size_t size = (size_t)sqlite3_column_bytes(database->select, 0);
        if (bytes && size <= capacity) {
            memcpy(room, bytes, size);
            count = (ptrdiff_t)size;
        }
    }
    sqlite3_reset(database->select);
    return count;
}
