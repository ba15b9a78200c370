// Replaces the header of the same name of envytools: registers and memory window of the graphics card, here a GT200
// whose compute engine is the emulator (device.cpp).
#pragma once

#include <cstdint>

std::uint32_t nva_rd32(int card, std::uint32_t address);
void nva_wr32(int card, std::uint32_t address, std::uint32_t value);
