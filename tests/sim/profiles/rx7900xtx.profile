# Format: see mi210.profile. No pcie_bw from RDNA3 on, and energy stays 0.
description = Radeon RX 7900 XTX: 24 GiB GDDR6, gpu_metrics 1.3 without energy
include rdna.part
gpu_metrics = 1.3
bus = 3

let device_id = 744c
let DEVICE_ID = 744C
let subsystem_vendor_id = 1da2
let subsystem_id = e471
let SUBSYS_ID = 1DA2:E471
let revision = 0xc8
let modalias = pci:v00001002d0000744Csv00001DA2sd0000E471bc03sc00i00
let vbios = 113-3E4710U-O4W
let vram_vendor = hynix
let vram_total = 25753026560
let gtt_total = 33554432000
let cap_uW = 339000000
let cap_max_uW = 390000000
let cap_min_uW = 305000000
let fan_max = 3200

file pp_dpm_pcie = 0: 2.5GT/s, x1 78Mhz \n1: 5.0GT/s, x4 156Mhz \n2: 16.0GT/s, x16 623Mhz *
file gpu_od/fan_ctrl/acoustic_limit_rpm_threshold = OD_ACOUSTIC_LIMIT:\n3200\nOD_RANGE:\nACOUSTIC_LIMIT: 500 3200

clock sclk = fine 500 2526
clock mclk = 96 456 772 1249
clock socclk = 500 1000 1563
clock fclk = 1200 1500 2000

model idle_W = 24
model peak_W = 330
model cap_W = 339
model fan_rpm = 3200
model vram_B = 25753026560
model gtt_B = 33554432000
model vram_idle_B = 412876800
model gtt_idle_B = 48758784

throttle_raw power = 65536
throttle_raw thermal = 2

kfd simd_count = 192
kfd array_count = 12
kfd cu_per_simd_array = 8
kfd gfx_target_version = 110000
kfd device_id = 29772
kfd max_engine_clk_fcompute = 2526
