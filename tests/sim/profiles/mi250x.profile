# Format: see mi210.profile. Each GPU is one of the two dies of a card; only the first knows the card's power.
description = Instinct MI250X: one entry per die, 64 GiB each, only first dies tell power, gpu_metrics 1.3
include mi210.profile
description = Instinct MI250X: one entry per die, 64 GiB each, only first dies tell power, gpu_metrics 1.3
hive = 8

let device_id = 7408
let DEVICE_ID = 7408
let subsystem_id = 0b0c
let SUBSYS_ID = 1002:0B0C
let revision = 0x01
let modalias = pci:v00001002d00007408sv00001002sd00000B0Cbc03sc80i00
let vbios = 113-D65205-030
let cap_uW = 560000000
let cap_max_uW = 560000000

file product_name = AMD INSTINCT MI250X (MCM) OAM AC MBA
file product_number = 102-D65205-00
second file hwmon/power1_average = 0
second file hwmon/power1_cap = 0
second file hwmon/power1_cap_default = 0
second file hwmon/power1_cap_max = 0
second gm average_socket_power = 0
second gm energy_accumulator = 0

model idle_W = 92
model peak_W = 530
model cap_W = 560

kfd simd_count = 440
kfd device_id = 29704
kfd num_sdma_xgmi_engines = 3
