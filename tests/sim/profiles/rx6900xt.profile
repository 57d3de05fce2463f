# Format: see mi210.profile. Energy counts millijoules; pcie_bw is there but has no data.
description = Radeon RX 6900 XT: 16 GiB GDDR6, gpu_metrics 1.3 with energy in mJ
include rdna.part
gpu_metrics = 1.3
bus = 12

let device_id = 73bf
let DEVICE_ID = 73BF
let subsystem_vendor_id = 1da2
let subsystem_id = 440e
let SUBSYS_ID = 1DA2:440E
let revision = 0xc0
let modalias = pci:v00001002d000073BFsv00001DA2sd0000440Ebc03sc00i00
let vbios = 113-D4121EXT-CO1
let vram_total = 17163091968
let gtt_total = 16786171904
let crit_mem = 100000
let emergency_mem = 105000
let cap_uW = 289000000
let cap_max_uW = 332000000
let cap_min_uW = 0
let fan_max = 3400

file pcie_bw =
fault pcie_bw = enodata
file pp_dpm_pcie = 0: 2.5GT/s, x1 310Mhz \n1: 16.0GT/s, x16 619Mhz *

clock sclk = fine 500 2660
clock mclk = 96 456 673 1000
clock socclk = 480 800 1200
clock fclk = 500 1302 1941

model idle_W = 36
model peak_W = 280
model cap_W = 289
model fan_rpm = 3400
model vram_B = 17163091968
model gtt_B = 16786171904
model vram_idle_B = 668274688
model gtt_idle_B = 62369792
model idle_mV = 775
model peak_mV = 1175

throttle_raw power = 8192
throttle_raw thermal = 4
gm energy_accumulator = $energy_mJ

kfd simd_count = 160
kfd array_count = 8
kfd cu_per_simd_array = 10
kfd gfx_target_version = 100302
kfd device_id = 29631
