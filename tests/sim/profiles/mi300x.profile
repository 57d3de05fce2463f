# Format: see mi210.profile.
description = Instinct MI300X: 192 GB HBM3, hive of 8, one partition (SPX), gpu_metrics 1.6
gpu_metrics = 1.6
include mi300.part
let device_id = 74a1
let DEVICE_ID = 74A1
let subsystem_id = 74a1
let SUBSYS_ID = 1002:74A1
let modalias = pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00
let vbios = 113-M3000100-102
let vram_vendor = samsung
let vram_total = 206141652992
let gtt_total = 1082101092352
let cap_uW = 750000000
let mem_clk_max = 1300

file product_name = AMD Instinct MI300X OAM
file product_number = 102-G30211-0C
file fru_id = 113-AMDG302110C

clock sclk = fine sleep=132 500 2100
clock mclk = 900 1100 1300

model idle_W = 133
model peak_W = 750
model cap_W = 750
model vram_B = 206141652992
model gtt_B = 1082101092352

kfd device_id = 29857
