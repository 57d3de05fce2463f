# Format: see mi210.profile. Temperatures in 0.01 °C, activity in 0.01 %, power in mW; no current clocks.
description = Phoenix APU (Radeon 780M): 4 GiB carve-out, gpu_metrics 2.1
include apu.part
gpu_metrics = 2.1
bus = 100

let device_id = 15bf
let DEVICE_ID = 15BF
let subsystem_vendor_id = 17aa
let subsystem_id = 50da
let SUBSYS_ID = 17AA:50DA
let revision = 0xdd
let modalias = pci:v00001002d000015BFsv000017AAsd000050DAbc03sc00i00
let vbios = 113-PHXGENERIC-001
let vram_total = 4294967296
let gtt_total = 31433977856
file unique_id =

clock sclk = fine 800 2700
clock mclk = 400 800
clock socclk = 400 600 720 800 900 1028 1200
clock fclk = 400 800 1200 1600

model idle_W = 3
model peak_W = 27
model cap_W = 28
model idle_C = 30
model full_C = 78
model vram_B = 4294967296
model gtt_B = 31433977856
model vram_idle_B = 1272893440
model gtt_idle_B = 211398656

throttle_raw power = 2
throttle_raw thermal = 32

gm temperature_gfx = $edge_cC
gm temperature_soc = $vrgfx_cC
gm temperature_core = $edge_cC*8
gm temperature_l3 = $edge_cC
gm average_gfx_activity = $busy_cpct
gm average_mm_activity = $mm_busy_cpct
gm system_clock_counter = $boottime_ns
gm average_socket_power = $power_mW
gm average_soc_power = 743
gm average_gfx_power = 585
gm average_core_power = 1 0 0 0 0 1 0 9
gm average_gfxclk_frequency = $sclk_MHz
gm average_socclk_frequency = $socclk_MHz
gm average_uclk_frequency = $mclk_MHz
gm average_fclk_frequency = $fclk_MHz
gm average_vclk_frequency = 800
gm average_dclk_frequency = 800
gm current_coreclk = 1400*8
gm current_l3clk = 1400
gm throttle_status = $throttle_raw

kfd gfx_target_version = 110003
kfd device_id = 5567
kfd max_engine_clk_fcompute = 2700
kfd fw_version = 67
