# Format: see mi210.profile. Table and levels as on a real card: energy in whole joules, no firmware timestamp.
description = Instinct MI100: 32 GiB HBM2, hives of 4, gpu_metrics 1.3 with energy in J
class = server
gpu_metrics = 1.3
hive = 4
include pci.part
include memory.part
include hwmon-instinct.part
include ras.part
include fw-instinct.part

let device_id = 738c
let DEVICE_ID = 738C
let subsystem_vendor_id = 1002
let subsystem_id = 0c34
let SUBSYS_ID = 1002:0C34
let revision = 0x01
let pci_class = 38000
let modalias = pci:v00001002d0000738Csv00001002sd00000C34bc03sc80i00
let vbios = 113-D3431401-101
let vram_total = 34342961152
let gtt_total = 135138402304
let crit_edge = 100000
let crit_junction = 100000
let crit_mem = 94000
let emergency_edge = 105000
let emergency_junction = 105000
let emergency_mem = 99000
let cap_uW = 290000000
let cap_max_uW = 290000000

file unique_id = $unique_id
file product_name = Instinct MI100
file product_number = 100-300000051H
file serial_number = $serial
file pcie_replay_count = 0
file pcie_bw = 0 0 256
fault pcie_bw = delay=1000ms
file xgmi_device_id = 16
file xgmi_error = 0
file xgmi_hive_info/xgmi_hive_id = $hive_id
file pp_dpm_sclk = $clock_sclk
file pp_dpm_mclk = $clock_mclk
file pp_dpm_socclk = $clock_socclk
file pp_dpm_fclk = $clock_fclk
file pp_dpm_pcie = 0: 16.0GT/s, x16 *
file ras/gpu_vram_bad_pages =
file fw_version/smc_fw_version = 0x00361d00
file fw_version/sos_fw_version = 0x0017004f

clock sclk = 300 495 731 962 1029 1087 1147 1189 1235 1283 1319 1363 1404 1430 1472 1502
clock mclk = 1200
clock socclk = 1000
clock fclk = 1402

model idle_W = 36
model peak_W = 272
model cap_W = 290
model idle_C = 45
model full_C = 82
model crit_C = 100
model edge_below_C = 5
model mem_idle_C = 44
model mem_full_C = 78
model vram_B = 34342961152
model gtt_B = 135138402304
model vram_idle_B = 6750208
model gtt_idle_B = 11354112
model idle_mV = 662
model peak_mV = 1050

throttle_raw power = 512
throttle_raw thermal = 4
throttle_indep power = 1
throttle_indep thermal = 68719476736

gm temperature_edge = $edge_C
gm temperature_hotspot = $junction_C
gm temperature_mem = $mem_C
gm temperature_vrgfx = $vrgfx_C
gm temperature_vrsoc = $vrsoc_C
gm temperature_vrmem = $vrmem_C
gm average_gfx_activity = $busy_pct
gm average_umc_activity = $mem_busy_pct
gm average_mm_activity = $mm_busy_pct
gm average_socket_power = $power_W
gm energy_accumulator = $energy_J
gm system_clock_counter = $boottime_ns
gm average_gfxclk_frequency = $sclk_MHz
gm average_socclk_frequency = $socclk_MHz
gm average_uclk_frequency = $mclk_MHz
gm average_vclk0_frequency = 187
gm average_dclk0_frequency = 187
gm current_gfxclk = $sclk_MHz
gm current_socclk = 0
gm current_uclk = 0
gm current_vclk0 = 0
gm current_dclk0 = 0
gm throttle_status = $throttle_raw
gm current_fan_speed = 0
gm pcie_link_width = 16
gm pcie_link_speed = 160
gm indep_throttle_status = $throttle_indep

kfd_name = arcturus
kfd simd_count = 480
kfd array_count = 8
kfd cu_per_simd_array = 16
kfd gfx_target_version = 90008
kfd device_id = 29580
kfd num_sdma_xgmi_engines = 6
kfd max_engine_clk_fcompute = 1502
kfd fw_version = 65
kfd sdma_fw_version = 18
