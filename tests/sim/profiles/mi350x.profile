# Format: see mi210.profile.
description = Instinct MI350X: 288 GB HBM3E, hive of 8, gpu_metrics 1.8
gpu_metrics = 1.8
include mi300.part
let device_id = 75a0
let DEVICE_ID = 75A0
let subsystem_id = 75a0
let SUBSYS_ID = 1002:75A0
let modalias = pci:v00001002d000075A0sv00001002sd000075A0bc12sc00i00
let vbios = 113-M3500100-104
let vram_vendor = micron
let vram_total = 309220868096
let gtt_total = 1082101092352
let cap_uW = 1000000000
let mem_clk_max = 2000
let xgmi_MBps = 76800

file product_name = AMD Instinct MI350X
file product_number = 102-G36202-0C
file available_memory_partition = NPS1, NPS2

clock sclk = fine sleep=146 500 2200
clock mclk = 900 1200 2000

model idle_W = 178
model peak_W = 1000
model cap_W = 1000
model full_C = 80
model vram_B = 309220868096
model gtt_B = 1082101092352

gm mem_max_bandwidth = 8192
gm xgmi_link_speed = 38
gm xgmi_link_status = 1*7
gm xcp_jpeg_busy = 0*40
gm xcp_gfx_below_host_limit_ppt_acc = $ppt_residency_ms*8
gm xcp_gfx_below_host_limit_thm_acc = $thermal_residency_ms*8
gm xcp_gfx_low_utilization_acc = 0*8
gm xcp_gfx_below_host_limit_total_acc = $ppt_residency_ms*8

kfd simd_count = 1024
kfd cu_per_simd_array = 9
kfd gfx_target_version = 90500
kfd device_id = 30112
kfd max_engine_clk_fcompute = 2200
