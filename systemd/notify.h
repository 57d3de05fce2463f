/* notify - what the service manager is told. Without one (no NOTIFY_SOCKET) nothing happens.
 *
 * notify.c is the only includer of <systemd/sd-daemon.h>. */
#ifndef SYSTEMD_NOTIFY_H
#define SYSTEMD_NOTIFY_H

#include <stdint.h>

/* Start-up is done, or a reload. */
void notify_ready(void);

/* A reload begins; notify_ready() ends it. Tells the time, as systemd 253 and later want; earlier ones pass it over. */
void notify_reloading(void);

void notify_stopping(void);

/* The line that `systemctl status` shows. */
void notify_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Still alive. */
void notify_watchdog(void);

/* How often notify_watchdog() is due: half of WatchdogSec=. 0: never. */
uint64_t notify_watchdog_interval_ns(void);

#endif
