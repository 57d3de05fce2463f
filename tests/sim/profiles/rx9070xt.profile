# Format: see mi210.profile. Deep sleep shows in pp_dpm_sclk; no fan1_enable and pwm1_enable.
description = Radeon RX 9070 XT: 16 GiB GDDR6, gpu_metrics 1.3 without energy, deep-sleep clock line
include rdna.part
gpu_metrics = 1.3
bus = 15

let device_id = 7550
let DEVICE_ID = 7550
let subsystem_vendor_id = 148c
let subsystem_id = 2435
let SUBSYS_ID = 148C:2435
let revision = 0xc0
let modalias = pci:v00001002d00007550sv0000148Csd00002435bc03sc00i00
let vbios = 113-EXT109069-101
let vram_total = 17095983104
let gtt_total = 33554432000
let crit_edge = 110000
let emergency_edge = 115000
let cap_uW = 304000000
let cap_max_uW = 340000000
let cap_min_uW = 0
let fan_max = 3650
let link_speed = 32.0 GT/s PCIe

drop file hwmon/fan1_enable
drop file hwmon/pwm1_enable
file pp_dpm_pcie = 0: 2.5GT/s, x16 250Mhz \n1: 16.0GT/s, x16 1143Mhz *

clock sclk = sleep=19 615 800 888 1000 2400 2970
clock mclk = 96 456 772 875 1124 1258
clock socclk = 417 1280 1476
clock fclk = 500 1200 2000

model idle_W = 17
model peak_W = 296
model cap_W = 304
model fan_rpm = 3650
model vram_B = 17095983104
model gtt_B = 33554432000
model vram_idle_B = 268435456
model gtt_idle_B = 48758784
model idle_mV = 552
model peak_mV = 1050

throttle_raw power = 16384
throttle_raw thermal = 2

kfd simd_count = 128
kfd array_count = 8
kfd cu_per_simd_array = 8
kfd gfx_target_version = 120001
kfd device_id = 30032
kfd max_engine_clk_fcompute = 2970
