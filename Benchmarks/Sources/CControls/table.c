#include "CControls.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct {
    uint64_t high, low;
    const void *value;
} slot;

struct ctl_table {
    pthread_mutex_t lock;
    size_t mask;
    slot *slots;
};

ctl_table *ctl_table_create(size_t capacity) {
    size_t size = 16;
    while (size < capacity * 2) size *= 2;
    ctl_table *table = malloc(sizeof *table);
    if (!table) return NULL;
    table->slots = calloc(size, sizeof *table->slots);
    if (!table->slots || pthread_mutex_init(&table->lock, NULL) != 0) {
        free(table->slots);
        free(table);
        return NULL;
    }
    table->mask = size - 1;
    return table;
}

void ctl_table_destroy(ctl_table *table) {
    pthread_mutex_destroy(&table->lock);
    free(table->slots);
    free(table);
}

static slot *probe(ctl_table *table, uint64_t high, uint64_t low) {
    size_t index = low & table->mask;
    while (table->slots[index].value && (table->slots[index].low != low || table->slots[index].high != high))
        index = (index + 1) & table->mask;
    return &table->slots[index];
}

void ctl_table_insert(ctl_table *table, uint64_t high, uint64_t low, const void *value) {
    pthread_mutex_lock(&table->lock);
    *probe(table, high, low) = (slot){high, low, value};
    pthread_mutex_unlock(&table->lock);
}

const void *ctl_table_find(ctl_table *table, uint64_t high, uint64_t low) {
    pthread_mutex_lock(&table->lock);
    const void *value = probe(table, high, low)->value;
    pthread_mutex_unlock(&table->lock);
    return value;
}
