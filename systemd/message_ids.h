/* message_ids - which kind of event a journal entry is about: fixed for ever, machines look for them.
 *
 * Each has an entry in rocwatch.catalog, which `journalctl -x` shows. A new one comes from `systemd-id128 new`. */
#ifndef SYSTEMD_MESSAGE_IDS_H
#define SYSTEMD_MESSAGE_IDS_H

#define MESSAGE_ALERT_FIRING "cec1d76956d84e5bacde81b89f560fbb"      /* an alert rule began to fire */
#define MESSAGE_ALERT_RESOLVED "16996bb717f04e17b7ff7b7d67eb309c"    /* an alert ended */
#define MESSAGE_ALERTS_SUPPRESSED "51d777c4fbe745a19e279290dd2f5312" /* alert messages were held back */
#define MESSAGE_GPU_LOST "221538df5fe14fef9e5a676f17ea00ac"          /* the PCI bus does not show the GPU any more */
#define MESSAGE_GPU_RETURNED "a19987cdfb8f46188de4eeb1c2d2083a"      /* a lost GPU is back */
#define MESSAGE_GPU_HUNG "aab3544c8a2b455f82454d1026a1264d"          /* a reading of the driver does not return */
#define MESSAGE_GPU_RECOVERED "66cd4a28a254407bba3028e93bcff89f"     /* a hung GPU answers again */
#define MESSAGE_SAMPLER_DIED "8a863999f75946218896dd267a9f3415"      /* the sampler process ended */
#define MESSAGE_SAMPLER_RESTARTED "4bd4ffe5f7b94fbc8127553d8cf66706" /* the sampler process runs again */
#define MESSAGE_LIBRARY_UNUSABLE "8ac4811c7de347e0b8f6ea17add2ca58"  /* the ROCm SMI library cannot be used */
#define MESSAGE_CONFIG_REJECTED "0ef9858ad0e84fa88300e3d71698a99f"   /* settings with mistakes were not taken */
#define MESSAGE_CONFIG_RELOADED "75400650c73e46cd99700f261f22557f"   /* new settings are in force */
#define MESSAGE_STARTED "10d4accf4e7d45afa8e94b460ebe172e"           /* the daemon is ready */
#define MESSAGE_STOPPING "b5f35bed188644fabd9e95a55cf1c119"          /* the daemon leaves */

#endif
